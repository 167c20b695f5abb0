"""Slash commands on the console, with an engine in memory."""

from __future__ import annotations

import asyncio
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from core.agent.operations import AgainstBranch, Goal, InWords, McpServer, OfCommit, Uncommitted
from core.conversation.info import ConversationInfo
from core.errors import Conflict
from core.thread.boxes import ASSISTANT, USER, InputMeta, draft
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeConversation, FakeEngine
from tests.tui.host import press, settled, until
from tests.tui.test_console import notice, status, texts
from tui.launch import Launch
from tui.screens import confirm
from tui.screens.confirm import ConfirmScreen
from tui.screens.diff import DiffScreen
from tui.screens.help import HelpScreen
from tui.screens.line import LineScreen
from tui.screens.page import PageScreen
from tui.screens.pick import PickScreen
from tui.slash.catalog import COMMANDS
from tui.slash.running import RUNS
from tui.widgets.composer import Composer

HERE = Launch(FOLDER, latest=True)


@pytest.fixture
def talk(engine: FakeEngine) -> FakeConversation:
    return engine.add(
        FOLDER,
        "Count the boats",
        draft(USER, "How many?", InputMeta(key="one")),
        draft(ASSISTANT, "Four."),
        draft(USER, "Red ones?", InputMeta(key="two")),
        draft(ASSISTANT, "**One** [is] red."),
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True)

    git("init", "-q", "-b", "main")
    (tmp_path / "pier.txt").write_text("old\n")
    git("add", "-A")
    git("commit", "-qm", "The pier")
    (tmp_path / "pier.txt").write_text("new\n")
    (tmp_path / "lamp.txt").write_text("bright\n")
    return tmp_path


def test_every_command_of_the_catalog_does_something() -> None:
    assert RUNS.keys() == {command.name for command in COMMANDS}


async def test_a_copy_is_made_and_gone_to(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        screen.action_fork_from(2)
        await until(pilot, lambda: screen.desk and screen.desk.current.id not in (None, talk.id))
        assert engine.operations.asked == [("fork", talk.id, 2)]
        assert texts(screen) == ["How many?", "Four."]
        assert "stays as it is" in notice(screen)


async def test_y_answers_a_question_and_n_leaves_it(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confirm, "QUIET", 0)
    async with console(HERE) as (screen, pilot):
        for key in "ny":
            screen.action_revert_to(3)
            await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
            await press(pilot, key)
            await until(pilot, lambda: pilot.app.screen is screen)
        await until(pilot, lambda: len(engine.operations.asked) == 3)
        assert [asked[0] for asked in engine.operations.asked] == ["plan_revert", "plan_revert", "revert"]


async def test_nothing_is_taken_back_unless_the_person_moves_to_yes_or_has_read_the_question(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confirm, "QUIET", 60)
    async with console(HERE) as (screen, pilot):
        screen.action_revert_to(3)
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await press(pilot, "enter")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert [asked[0] for asked in engine.operations.asked] == ["plan_revert"]

        screen.action_slash("revert")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await press(pilot, *"yes please", "escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert [asked[0] for asked in engine.operations.asked] == ["plan_revert"] * 2


async def test_what_was_taken_back_goes_from_the_screen_and_its_message_is_in_the_composer(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        screen.action_slash("revert", "3")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await press(pilot, "down", "enter")
        await until(pilot, lambda: texts(screen) == ["How many?", "Four."])
        assert screen.composer.input.text == "Red ones?"


async def test_a_refusal_says_how_to_go_on(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    engine.operations.fails = Conflict("Nothing was summed up", why="a turn runs", todo="Press Esc first.")
    async with console(HERE) as (screen, pilot):
        screen.action_slash("compact")
        await until(pilot, lambda: "Press Esc first" in notice(screen))


async def test_deleting_asks_and_leads_to_a_new_conversation(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        screen.action_slash("delete")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        assert pilot.app.screen.query_one(OptionList).highlighted == 0
        await press(pilot, "down", "enter")
        await until(pilot, lambda: screen.desk and screen.desk.current.id is None)
        assert engine.operations.asked == [("delete", talk.id)]


async def test_putting_away_and_bringing_back(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        screen.action_slash("archive")
        await until(pilot, lambda: screen.desk and screen.desk.current.id is None)
        back = engine.add(FOLDER, "Count the boats")
        engine.operations.away = [
            ConversationInfo(back.id, "Count the boats", str(FOLDER), 1, "idle", 0, None),
            ConversationInfo("other", "Paint", str(FOLDER), 1, "idle", 0, None),
        ]
        screen.action_slash("unarchive", "count")
        await until(pilot, lambda: screen.desk and screen.desk.current.id == back.id)
        assert engine.operations.asked == [("archive", talk.id), ("unarchive", back.id)]


async def test_a_title_is_asked_for_where_none_is_given(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        screen.action_slash("rename")
        await until(pilot, lambda: isinstance(pilot.app.screen, LineScreen))
        assert pilot.app.screen.query_one(Input).value == "Count the boats"
        await press(pilot, *"Boats", "enter")
        await until(pilot, lambda: engine.operations.asked)
        assert engine.operations.asked == [("rename", talk.id, "Boats")]


async def test_the_last_answer_is_copied_as_markdown(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        screen.action_slash("copy")
        await until(pilot, lambda: "Copied" in notice(screen))
        assert pilot.app.clipboard == "**One** [is] red."


async def test_a_review_is_of_what_was_said(
    console: OpenConsole, engine: FakeEngine, repository: Path
) -> None:
    talk = engine.add(repository, "Pier")
    async with console(Launch(repository, latest=True)) as (screen, pilot):
        for argument in ("uncommitted", "main", "abcdef1", "the error cases"):
            screen.action_slash("review", argument)
            await until(pilot, lambda: engine.operations.asked)
            await settled(pilot)
        await until(pilot, lambda: len(engine.operations.asked) == 4)
        targets = [Uncommitted(), AgainstBranch("main"), OfCommit("abcdef1"), InWords("the error cases")]
        assert sorted(map(str, (asked[2] for asked in engine.operations.asked))) == sorted(map(str, targets))
        assert {asked[1] for asked in engine.operations.asked} == {talk.id}

        screen.action_slash("review")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))
        await press(pilot, *"the pier", "enter")
        await until(pilot, lambda: len(engine.operations.asked) == 5)
        assert isinstance(engine.operations.asked[4][2], OfCommit)


async def test_the_diff_of_the_working_tree_is_shown_and_an_empty_one_said(
    console: OpenConsole, engine: FakeEngine, repository: Path
) -> None:
    async with console(Launch(repository)) as (screen, pilot):
        screen.action_slash("diff")
        await until(pilot, lambda: isinstance(pilot.app.screen, DiffScreen))
        await press(pilot, "escape")
        (repository / "pier.txt").write_text("old\n")
        (repository / "lamp.txt").unlink()
        screen.action_slash("diff")
        await until(pilot, lambda: "Nothing is changed" in notice(screen))


async def test_a_folder_without_git_has_no_diff(
    console: OpenConsole, engine: FakeEngine, tmp_path: Path
) -> None:
    async with console(Launch(tmp_path)) as (screen, pilot):
        screen.action_slash("diff")
        await until(pilot, lambda: "git init" in notice(screen))


async def test_a_goal_is_set_seen_paused_and_cleared(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        for argument, words in (
            ("", "No goal is set"),
            ("Paint [the] pier", "Goal (active): Paint [the] pier"),
            ("pause", "Goal (paused)"),
            ("resume", "Goal (active)"),
            ("clear", "The goal is cleared"),
            ("clear", "No goal was set"),
        ):
            screen.notices.clear()
            screen.action_slash("goal", argument)
            await until(pilot, lambda words=words: words in notice(screen))


async def test_servers_are_listed_and_nothing_of_them_is_markup(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.operations.servers = (
        McpServer("sea[/]", "connected", "oAuth", (("tide[b]", "Tells\nthe \x1b[31mtide"),)),
        McpServer("air", "failed", "", (), "no such command"),
    )
    async with console() as (screen, pilot):
        screen.action_slash("mcp")
        await until(pilot, lambda: isinstance(pilot.app.screen, PageScreen))
        await settled(pilot)
        shown = "\n".join(str(widget.render()) for widget in pilot.app.screen.query("Static"))
        assert "sea[/] · connected · signed in" in shown
        assert "tide[b]" in shown and "\x1b" not in shown
        assert "no such command" in shown
        await press(pilot, "escape")
        assert pilot.app.screen is screen


async def test_a_new_conversation_begins_with_what_follows_its_name(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        screen.action_slash("new", "Paint the pier")
        await until(pilot, lambda: len(engine.open_conversations) == 2)
        made = next(one for one in engine.open_conversations.values() if one is not talk)
        await until(pilot, lambda: made.sent)
        assert made.sent[0][0] == "Paint the pier"


async def test_resuming_by_title_goes_to_the_only_one_that_has_it(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    engine.add(FOLDER, "Paint the pier")
    async with console() as (screen, pilot):
        await until(pilot, lambda: screen.desk and len(screen.desk.infos) == 2)
        screen.action_slash("resume", "boats count")
        await until(pilot, lambda: screen.desk and screen.desk.current.id == talk.id)
        screen.action_slash("resume", "nothing like it")
        await until(pilot, lambda: "No conversation has that" in notice(screen))


async def test_signing_out_asks_first(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (screen, pilot):
        screen.action_slash("logout")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await press(pilot, "enter")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert engine.operations.asked == []
        screen.action_slash("logout")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await press(pilot, "down", "enter")
        await until(pilot, lambda: engine.operations.asked == [("logout",)])


async def test_a_theme_is_put_on_by_name_or_from_the_list_and_one_that_is_none_is_refused(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console() as (screen, pilot):
        screen.action_slash("theme", "quarterdeck-light")
        await until(pilot, lambda: pilot.app.theme == "quarterdeck-light")
        screen.action_slash("theme", "no-such-theme")
        await until(pilot, lambda: "There is no theme no-such-theme" in notice(screen))
        screen.action_slash("theme")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))
        await press(pilot, *"nord", "escape")
        await until(pilot, lambda: pilot.app.theme == "quarterdeck-light")


async def test_help_and_keys_show_the_keys(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (screen, pilot):
        screen.action_slash("keys")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))


async def test_a_sub_agents_thread_leads_to_its_conversation(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    child = engine.add(FOLDER, "A sub-agent")
    child.info = replace(child.info, thread_id="child-thread")
    async with console() as (screen, pilot):
        screen.operating.go_to_thread("child-thread")
        await until(pilot, lambda: screen.desk and screen.desk.current.id == child.id)


async def test_the_palette_has_every_command_once_with_its_key(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        found = screen.palette_entries()
        slashes = [entry.slash for entry in found if entry.slash]
        assert sorted({*slashes, "keys"}) == sorted(command.name for command in COMMANDS)
        assert len(slashes) == len(set(slashes))
        new = next(entry for entry in found if entry.slash == "new")
        assert (new.key, new.action) == ("Ctrl+N", "new")
        del pilot


async def test_the_palette_does_things_from_a_screen_over_the_console_too(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        screen.action_slash("status")
        await until(pilot, lambda: isinstance(pilot.app.screen, PageScreen))
        await press(pilot, "ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.focused, Input))
        await press(pilot, *"copy the last")
        async with asyncio.timeout(20):
            while "Copied" not in notice(screen):
                await press(pilot, "enter")
        assert pilot.app.screen is screen


def test_a_goals_words_are_one_line() -> None:
    from tui.slash.working import _goal_words

    goal = Goal("Paint\nthe pier", "active", 12_000, 50_000, 125)
    assert _goal_words(goal) == "Goal (active): Paint␊the pier · 12,000 of 50,000 tokens, 2 min"


async def test_planning_first_is_switched_off_where_codex_says_that_it_is_on_and_the_screen_tells(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    talk.selection = replace(talk.selection, planning=True)
    async with console(HERE, size=(120, 40)) as (screen, pilot):
        await until(pilot, lambda: "plans first" in status(screen))
        screen.action_slash("plan")
        await until(pilot, lambda: "works without a plan" in notice(screen))
        assert not talk.selection.planning
        await until(pilot, lambda: "plans first" not in status(screen))
        screen.action_slash("plan")
        await until(pilot, lambda: talk.selection.planning)
        screen.action_slash("plan", "off")
        await until(pilot, lambda: not talk.selection.planning)


async def test_a_new_conversation_begins_with_what_was_given_and_not_with_what_is_half_written(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    engine.drafts[str(FOLDER)] = "half written"
    async with console(HERE) as (screen, pilot):
        screen.composer.put("/new hello")
        screen.composer.submit()
        await until(pilot, lambda: len(engine.open_conversations) == 2)
        begun = next(one for one in engine.open_conversations.values() if one is not talk)
        await until(pilot, lambda: begun.sent)
        assert [text for text, _ in begun.sent] == ["hello"]
        assert screen.composer.input.text == "half written"


async def test_what_is_to_be_planned_goes_to_where_it_was_said(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    other = engine.add(FOLDER, "other")
    begun, goes_on = asyncio.Event(), asyncio.Event()
    plan_first = engine.operations.plan_first

    async def slow(*args: object, **names: object) -> bool:
        begun.set()
        await goes_on.wait()
        return await plan_first(*args, **names)  # type: ignore[arg-type]

    engine.operations.plan_first = slow  # type: ignore[method-assign]
    async with console() as (screen, pilot):
        screen.go_to(talk.id)
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == talk.id)
        screen.composer.put("/plan the pier")
        screen.composer.submit()
        await asyncio.wait_for(begun.wait(), 5)
        screen.go_to(other.id)
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == other.id)
        await press(pilot, *"note")
        goes_on.set()
        await until(pilot, lambda: talk.sent)
        assert [text for text, _ in talk.sent] == ["the pier"]
        assert other.sent == []
        assert screen.composer.input.text == "note"


async def test_a_message_of_a_command_that_is_refused_stands_before_what_is_written(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    async with console(HERE) as (screen, pilot):
        assert screen.desk is not None
        await press(pilot, *"and")
        talk.fails = Conflict("Not now")
        screen.composer.send_besides(screen.desk.current.writing, "/etc is a folder")
        await until(pilot, lambda: screen.notices.showing)
        assert screen.composer.input.text == " /etc is a folder\nand"


async def test_a_command_is_not_done_where_it_was_not_given(
    console: OpenConsole, engine: FakeEngine, talk: FakeConversation
) -> None:
    other = engine.add(FOLDER, "other")
    async with console() as (screen, pilot):
        screen.go_to(talk.id)
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == talk.id)
        given = Composer.Commanded(screen.composer.writing, "archive", "")
        screen.go_to(other.id)
        await until(pilot, lambda: screen.desk is not None and screen.desk.current.id == other.id)
        screen.on_composer_commanded(given)
        await until(pilot, lambda: "not done" in notice(screen))
        assert engine.operations.asked == []
        assert given.writing.text == "/archive"
