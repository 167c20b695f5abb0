"""What a person can do in the console, on an engine in memory (the real one: the end-to-end tests)."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from textual._xterm_parser import XTermParser
from textual.events import Key, Paste
from textual.widgets import Input

from core.agent.events import Channel
from core.agent.items import AgentMessage
from core.agent.port import Orphan
from core.agent.requests import Decide
from core.conversation.feed import (
    AccountRead,
    Delivery,
    HostChanged,
    HostPhase,
    LiveDelta,
    LiveStarted,
    OutboxEntry,
    Told,
)
from core.errors import Conflict, StoreError
from core.thread.boxes import ASSISTANT, USER, InputMeta, draft
from core.thread.state import Status
from tests.tui import examples
from tests.tui.conftest import FOLDER, ConsoleApp, OpenConsole
from tests.tui.fake_engine import FakeConversation, FakeEngine
from tests.tui.host import press, settled, until
from tui.launch import Launch
from tui.screens.console import ConsoleScreen
from tui.screens.help import HelpScreen
from tui.screens.palette_offers import offered_now
from tui.startup import Session


def texts(screen: ConsoleScreen) -> list[str]:
    """What the shown document holds, oldest first."""
    assert screen.desk is not None
    found: list[str] = []
    for entry in screen.desk.current.document.entries():
        if entry.box is not None:
            found.append(entry.box.contents)
        elif entry.live is not None:
            found.append(entry.live.text(Channel.MESSAGE))
    return found


def keys_shown(screen: ConsoleScreen) -> str:
    return str(screen.query_one("#keys").render())


def notice(screen: ConsoleScreen) -> str:
    return str(screen.notices.render()) if screen.notices.display else ""


def status(screen: ConsoleScreen) -> str:
    return " ".join(str(part.render()) for part in screen.query_one("#status").children)


def only(engine: FakeEngine) -> FakeConversation:
    (conversation,) = engine.open_conversations.values()
    return conversation


# Writing and sending.


async def test_the_composer_has_the_focus_and_enter_sends(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (screen, pilot):
        await press(pilot, *"hello", "enter")
        await until(pilot, lambda: engine.open_conversations and only(engine).sent)
        assert [text for text, _ in only(engine).sent] == ["hello"]
        assert only(engine).info.path == str(FOLDER)
        await until(pilot, lambda: texts(screen) == ["hello"])
        assert screen.composer.input.text == ""


async def test_new_lines_are_written_and_not_sent(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (screen, pilot):
        await press(pilot, "a", "ctrl+j", "b", "shift+enter", "c", "alt+enter", "d")
        assert screen.composer.input.text == "a\nb\nc\nd"
        assert engine.open_conversations == {}


async def test_what_is_written_before_the_engine_is_there_is_kept_and_enter_queues_it(
    engine: FakeEngine,
) -> None:
    there = asyncio.Event()

    async def opener(launch: Launch) -> Session:
        await there.wait()
        return await engine.opener(launch)

    app = ConsoleApp(Launch(FOLDER), opener)
    async with app.run_test() as pilot:
        screen = app.console_screen
        await press(pilot, *"one", "enter", *"two", "enter", *"three")
        assert screen.desk is None
        assert [message.text for message in screen.composer.writing.outgoing] == ["one", "two"]
        there.set()
        await until(pilot, lambda: engine.open_conversations and len(only(engine).sent) == 2)
        assert [text for text, _ in only(engine).sent] == ["one", "two"]
        await until(pilot, lambda: not screen.composer.writing.outgoing)
        assert screen.composer.input.text == "three"


async def test_the_message_of_the_command_line_is_sent_first(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console(Launch(FOLDER, "fix it")) as (_, pilot):
        await until(pilot, lambda: engine.open_conversations and only(engine).sent)
        assert [text for text, _ in only(engine).sent] == ["fix it"]


async def test_a_message_that_cannot_be_stored_stays_and_is_sent_again_under_its_key(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.fails = StoreError("The message is not saved", why="the disk is full", todo="Make room.")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await press(pilot, *"hello", "enter")
        await until(pilot, lambda: notice(screen))
        assert "The message is not saved" in notice(screen)
        assert "Make room" in notice(screen)
        assert screen.composer.input.text == "hello"
        failed_key = screen.composer.writing._returned
        conversation.fails = None
        await press(pilot, "enter")
        await until(pilot, lambda: conversation.sent)
        assert failed_key is not None
        assert conversation.sent == [("hello", failed_key.key)]
        assert notice(screen) == ""


async def test_a_paste_is_one_insertion_without_controls(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (screen, pilot):
        pilot.app.post_message(Paste("one\r\ntwo\x1b[2J\x07"))
        await until(pilot, lambda: screen.composer.input.text)
        assert screen.composer.input.text == "one\ntwo[2J"
        assert engine.open_conversations == {}


async def test_text_that_reorders_is_drawn_as_boxes_and_sent_as_it_is(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console() as (screen, pilot):
        pilot.app.post_message(Paste("a\u202eb\u200bc"))
        await until(pilot, lambda: screen.composer.input.text)
        assert screen.composer.input.get_line(0).plain == "a▯b▯c"
        await press(pilot, "enter")
        await until(pilot, lambda: engine.open_conversations and only(engine).sent)
        assert only(engine).sent[0][0] == "a\u202eb\u200bc"


async def test_the_arrow_up_recalls_what_was_said_here(console: OpenConsole, engine: FakeEngine) -> None:
    engine.add(FOLDER, "boats", *(draft(USER, text, InputMeta(key=text)) for text in ("one", "two")))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await press(pilot, "up")
        assert screen.composer.input.text == "two"
        await press(pilot, "up")
        assert screen.composer.input.text == "one"
        await press(pilot, "down", "down")
        assert screen.composer.input.text == ""


async def test_the_composer_grows_to_a_third_of_the_screen(console: OpenConsole) -> None:
    async with console(size=(80, 30)) as (screen, pilot):
        assert screen.composer.input.size.height == 1
        for _ in range(40):
            screen.composer.put("line\n")
        await settled(pilot)
        await until(pilot, lambda: screen.composer.input.size.height == 9)


async def test_drafts_are_kept_for_each_conversation(console: OpenConsole, engine: FakeEngine) -> None:
    first = engine.add(FOLDER, "first")
    second = engine.add(FOLDER, "second")
    engine.drafts[first.id] = "from last week"
    async with console() as (screen, pilot):
        assert screen.desk is not None
        await press(pilot, *"new")
        screen.go_to(second.id)
        await until(pilot, lambda: screen.desk and screen.desk.current.id == second.id)
        await press(pilot, *"for the second")
        screen.go_to(first.id)
        await until(pilot, lambda: screen.composer.input.text == "from last week")
        await press(pilot, "ctrl+n")
        await until(pilot, lambda: screen.composer.input.text == "new")
        screen.go_to(second.id)
        await until(pilot, lambda: screen.composer.input.text == "for the second")
        await until(pilot, lambda: engine.drafts.get(second.id) == "for the second")
        assert engine.drafts[str(FOLDER)] == "new"


async def test_a_sent_message_is_no_draft_any_more(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (_, pilot):
        await press(pilot, *"hi")
        await until(pilot, lambda: engine.drafts.get(str(FOLDER)) == "hi")
        await press(pilot, "enter")
        await until(pilot, lambda: engine.drafts.get(str(FOLDER)) == "")
        await until(pilot, lambda: engine.drafts.get(only(engine).id, "") == "")


# Reading.


async def test_an_answer_streams_and_becomes_a_box(console: OpenConsole, engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        engine.feed.tell(LiveStarted(conversation.id, AgentMessage(id="m", text="")))
        for word in ("Two ", "boats."):
            engine.feed.tell(LiveDelta(conversation.id, "m", Channel.MESSAGE, word))
        await until(pilot, lambda: texts(screen) == ["Two boats."])


async def test_what_streams_while_a_conversation_is_opened_is_shown_once(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.streaming = (
        LiveStarted(conversation.id, AgentMessage(id="m", text="")),
        LiveDelta(conversation.id, "m", Channel.MESSAGE, "Two boats"),
    )
    read = conversation.page

    async def page(before: int | None = None, limit: int = 200) -> object:
        found = await read(before, limit)
        engine.feed.tell(LiveDelta(conversation.id, "m", Channel.MESSAGE, " boats"))
        conversation.add(draft(ASSISTANT, "recorded meanwhile"))
        return found

    conversation.page = page  # type: ignore[method-assign]
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        engine.feed.tell(LiveDelta(conversation.id, "m", Channel.MESSAGE, "."))
        await until(pilot, lambda: texts(screen) == ["recorded meanwhile", "Two boats."])


async def test_older_pages_are_read_when_the_reader_comes_near_the_top(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.add(FOLDER, "long", *(draft(ASSISTANT, f"paragraph {number}") for number in range(500)))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await until(pilot, lambda: len(texts(screen)) == 200)
        for _ in range(100):
            await press(pilot, "pageup")
            if len(texts(screen)) > 200:
                break
        await until(pilot, lambda: len(texts(screen)) >= 400)
        assert texts(screen) == [f"paragraph {number}" for number in range(500)][-len(texts(screen)) :]


async def test_an_empty_conversation_says_what_to_do(console: OpenConsole) -> None:
    async with console() as (screen, _):
        welcome = screen.query_one("#welcome")
        assert welcome.display and not screen.transcript.display
        assert "Write a message" in str(welcome.render())


# What the thread does.


async def test_while_it_runs_escape_interrupts_and_the_screen_says_so(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        conversation.become(Status.RUNNING)
        await until(pilot, lambda: "running" in status(screen))
        assert "Esc Interrupt" in keys_shown(screen)
        assert "Steer" in str(screen.composer.input.placeholder)
        await press(pilot, "escape")
        await until(pilot, lambda: conversation.interrupted == 1)
        conversation.become(Status.IDLE)
        await until(pilot, lambda: "ready" in status(screen))
        assert "Esc" not in keys_shown(screen)


async def test_a_stalled_thread_says_how_it_goes_on_and_runs_again(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        conversation.become(Status.STALLED, "usage limit reached", restartable=True)
        await until(pilot, lambda: "It stopped. Write on; F5 runs it again" in notice(screen))
        assert "stalled" in status(screen)
        assert "Run again" in keys_shown(screen)
        await press(pilot, "f5")
        await until(pilot, lambda: conversation.restarted == 1)


async def test_what_cannot_run_again_goes_on_from_where_it_is(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console() as (screen, pilot):
        await press(pilot, "a", "enter")
        await until(pilot, lambda: engine.open_conversations and only(engine).sent)
        only(engine).become(Status.STALLED, "the host died")
        await until(pilot, lambda: "Codex go on from there" in notice(screen))
        await press(pilot, "f5")
        await until(pilot, lambda: only(engine).asked_again == 1)
        assert only(engine).restarted == 0


async def test_a_message_that_waits_is_taken_back_to_be_written_anew(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console() as (screen, pilot):
        await press(pilot, "a", "enter")
        await until(pilot, lambda: engine.open_conversations and only(engine).sent)
        assert "Take back" not in keys_shown(screen)
        waiting = [OutboxEntry(key, f"message {key}", Delivery.ACCEPTED) for key in ("k1", "k2")]
        only(engine).wait_for([*waiting, OutboxEntry("k3", "gone", Delivery.SENT)])
        await until(pilot, lambda: "Take back" in keys_shown(screen))
        await press(pilot, "ctrl+t")
        await until(pilot, lambda: screen.composer.input.text == "message k2")
        assert [entry.key for entry in only(engine).outbox] == ["k1", "k3"]


async def test_the_palette_puts_a_waiting_message_first_and_ends_orphans(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console() as (screen, pilot):
        await press(pilot, "a", "enter")
        await until(pilot, lambda: engine.open_conversations and only(engine).sent)
        only(engine).orphans = (Orphan(1, "0", "item", "sleep 70"),)
        only(engine).wait_for([OutboxEntry(key, key, Delivery.ACCEPTED) for key in ("k1", "k2")])
        await until(pilot, lambda: screen.desk is not None and len(screen.desk.current.waiting) == 2)
        actions = dict(offered_now(screen))
        await screen.run_action(actions["Send before the others: k2"])
        await until(pilot, lambda: [entry.key for entry in only(engine).outbox] == ["k2", "k1"])
        await screen.run_action(actions["End the commands that outlived their host"])
        await until(pilot, lambda: only(engine).orphans == ())


async def test_a_conversation_that_another_console_writes_says_who(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.add(FOLDER, "boats").writer = "the console on /dev/pts/7"
    async with console(Launch(FOLDER, latest=True)) as (screen, _):
        assert "read-only: the console on /dev/pts/7 writes this" in status(screen)


# Deciding.


async def test_a_request_is_shown_and_decided_with_the_hash_of_what_was_shown(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(Launch(FOLDER, latest=True), size=(80, 40)) as (screen, pilot):
        engine.ask(examples.notified(examples.COMMAND, 7, conversation_id=conversation.id))
        await until(pilot, lambda: screen.prompts and screen.prompts.prompt)
        assert screen.focused is screen.composer.input
        assert "F6 Answer" in keys_shown(screen)
        await press(pilot, "f6")
        await until(pilot, lambda: screen.prompts and screen.prompts.prompt and screen.prompts.prompt.armed)
        await press(pilot, "y")
        await until(pilot, lambda: engine.decisions)
        ((number, answer, shown_hash),) = engine.decisions
        assert (number, shown_hash) == (7, "hash-7")
        assert isinstance(answer, Decide) and answer.choice.verb == "accept"
        await until(pilot, lambda: screen.focused is screen.composer.input)
        assert screen.prompts is not None and not screen.prompts.display


async def test_a_decision_that_came_too_late_says_so_on_the_prompt(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    engine.decision_fails = Conflict("This was decided by rule tests")
    engine.ask(examples.notified(examples.COMMAND, 7, conversation_id=conversation.id))
    async with console(Launch(FOLDER, latest=True), size=(80, 40)) as (screen, pilot):
        await press(pilot, "f6")
        await until(pilot, lambda: screen.prompts and screen.prompts.prompt and screen.prompts.prompt.armed)
        await press(pilot, "n")
        prompt = screen.prompts and screen.prompts.prompt
        await until(pilot, lambda: prompt and "decided by rule tests" in str(prompt.border_subtitle))


async def test_escape_leaves_a_prompt_before_it_interrupts(console: OpenConsole, engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.become(Status.RUNNING)
    engine.ask(examples.notified(examples.COMMAND, 7, conversation_id=conversation.id))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await press(pilot, "f6")
        await until(pilot, lambda: screen.focused is not screen.composer.input)
        await press(pilot, "escape")
        await until(pilot, lambda: screen.focused is screen.composer.input)
        assert conversation.interrupted == 0
        await press(pilot, "escape")
        await until(pilot, lambda: conversation.interrupted == 1)


async def test_what_waits_in_another_conversation_is_counted_and_listed_first(
    console: OpenConsole, engine: FakeEngine
) -> None:
    other = engine.add(FOLDER, "other")
    engine.add(FOLDER, "this")
    async with console(Launch(FOLDER, latest=True), size=(120, 40)) as (screen, pilot):
        engine.ask(examples.notified(examples.COMMAND, 7, conversation_id=other.id))
        await until(pilot, lambda: "1 waits elsewhere" in status(screen))
        assert screen.prompts is not None and screen.prompts.prompt is None
        await until(pilot, lambda: screen.sessions.ids[0] == other.id)
        await press(pilot, "f6")
        await until(pilot, lambda: screen.prompts and screen.prompts.prompt)
        assert screen.desk is not None and screen.desk.current.id == other.id
        assert screen.focused is screen.composer.input


async def test_keys_go_from_one_conversation_to_the_next(console: OpenConsole, engine: FakeEngine) -> None:
    older, newer = engine.add(FOLDER, "older"), engine.add(FOLDER, "newer")
    async with console() as (screen, pilot):
        await until(pilot, lambda: screen.sessions.ids == [newer.id, older.id])
        for key, there in (
            ("alt+down", newer),
            ("ctrl+pagedown", older),
            ("alt+down", older),
            ("alt+up", newer),
        ):
            await press(pilot, key)
            await until(pilot, lambda there=there: screen.desk and screen.desk.current.id == there.id)


async def test_stopping_the_turn_from_a_prompt_interrupts_it(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    engine.ask(examples.notified(examples.PERMISSIONS, 7, conversation_id=conversation.id))
    async with console(Launch(FOLDER, latest=True), size=(80, 40)) as (screen, pilot):
        await press(pilot, "f6")
        await until(pilot, lambda: screen.prompts and screen.prompts.prompt and screen.prompts.prompt.armed)
        await press(pilot, "x")
        await until(pilot, lambda: conversation.interrupted == 1)
        assert engine.decisions == []


# Around.


async def test_continue_opens_the_latest_conversation_of_the_folder(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.add(FOLDER, "older", draft(ASSISTANT, "older answer"))
    engine.add(FOLDER, "newer", draft(ASSISTANT, "newer answer"))
    engine.add(Path("/elsewhere"), "newest")
    async with console(Launch(FOLDER, latest=True)) as (screen, _):
        assert texts(screen) == ["newer answer"]


async def test_the_list_is_hidden_on_a_narrow_screen_until_it_is_asked_for(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(size=(80, 24)) as (screen, pilot):
        await until(pilot, lambda: screen.sessions.ids)
        assert not screen.sessions.display or not screen.sessions.region
        await press(pilot, "ctrl+b")
        await until(pilot, lambda: screen.focused is screen.sessions)
        await press(pilot, "down", "down", "enter")
        await until(pilot, lambda: screen.desk and screen.desk.current.id == conversation.id)
        assert not screen.sessions.region
        assert screen.focused is screen.composer.input


async def test_the_list_folds_on_a_wide_screen(console: OpenConsole, engine: FakeEngine) -> None:
    engine.add(FOLDER, "boats")
    async with console(size=(120, 40)) as (screen, pilot):
        assert screen.sessions.region.width > 20
        await press(pilot, "ctrl+b")
        await until(pilot, lambda: screen.focused is screen.sessions)
        await press(pilot, "ctrl+b")
        await until(pilot, lambda: not screen.sessions.region)
        assert screen.focused is screen.composer.input


async def test_a_group_folds(console: OpenConsole, engine: FakeEngine) -> None:
    engine.add(FOLDER, "boats")
    async with console(size=(120, 40)) as (screen, pilot):
        await until(pilot, lambda: screen.sessions.option_count == 2)
        screen.sessions.focus()
        await press(pilot, "home", "enter")
        assert screen.sessions.option_count == 1
        await press(pilot, "enter")
        assert screen.sessions.option_count == 2


async def test_help_shows_every_key_and_closes(console: OpenConsole) -> None:
    async with console() as (screen, pilot):
        await press(pilot, "f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        shown = "\n".join(str(part.render()) for part in pilot.app.screen.query("#help Static"))
        for words in ("Ctrl+N", "Run again", "New line", "not now"):
            assert words in shown
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is screen)


async def test_a_question_mark_in_the_composer_is_text(console: OpenConsole) -> None:
    async with console() as (screen, pilot):
        await press(pilot, "question_mark")
        assert screen.composer.input.text == "?"
        assert pilot.app.screen is screen


async def test_the_palette_finds_actions_and_conversations_whatever_their_titles(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "[red]fix[/nonsense] the \x1b[31mboats")
    async with console() as (screen, pilot):
        await until(pilot, lambda: screen.palette_conversations())
        await press(pilot, "ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.focused, Input))
        await press(pilot, *"boats")
        await until(pilot, lambda: _found(pilot.app.screen))
        await press(pilot, "enter")
        await until(pilot, lambda: screen.desk and screen.desk.current.id == conversation.id)


def _found(screen: object) -> bool:
    from textual.command import CommandList
    from textual.screen import Screen

    assert isinstance(screen, Screen)
    return any("boats" in str(option.prompt) for option in screen.query_one(CommandList).options)


async def test_an_error_stays_until_it_is_dismissed(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (screen, pilot):
        engine.feed.tell(Told("error", "The host went away. \x1b[2J It is started again."))
        await until(pilot, lambda: "host went away" in notice(screen))
        assert "\x1b" not in notice(screen)
        engine.feed.tell(Told("info", "Codex 1.2.4"))
        await settled(pilot)
        assert "host went away" in notice(screen)
        await press(pilot, "escape")
        assert "Codex 1.2.4" in notice(screen)
        await press(pilot, "escape")
        assert notice(screen) == ""


async def test_an_engine_that_does_not_open_is_one_sentence_and_can_be_tried_again(
    engine: FakeEngine,
) -> None:
    tries = 0

    async def opener(launch: Launch) -> Session:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise StoreError("The database is locked", why="another process holds it", todo="Press F5.")
        return await engine.opener(launch)

    app = ConsoleApp(Launch(FOLDER), opener)
    async with app.run_test() as pilot:
        screen = app.console_screen
        await until(pilot, lambda: "The database is locked" in notice(screen))
        await press(pilot, *"kept", "f5")
        await until(pilot, lambda: screen.desk is not None)
        assert screen.composer.input.text == "kept"
        assert notice(screen) == ""


async def test_quitting_saves_closes_and_says_what_goes_on(console: OpenConsole, engine: FakeEngine) -> None:
    engine.left = "A turn goes on at Codex."
    async with console() as (_, pilot):
        await press(pilot, *"half a tho")
        await pilot.press("ctrl+q")
        await until(pilot, lambda: engine.closed)
    assert pilot.app.return_value == "A turn goes on at Codex."
    assert engine.drafts[str(FOLDER)] == "half a tho"
    assert engine.decisions == []


async def test_being_told_to_end_is_quitting(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (_, pilot):
        await press(pilot, *"draft")
        os.kill(os.getpid(), signal.SIGTERM)
        await until(pilot, lambda: engine.closed)
    assert engine.drafts[str(FOLDER)] == "draft"


async def test_ctrl_d_quits_only_when_nothing_is_written(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (screen, pilot):
        await press(pilot, "a", "left", "ctrl+d")
        assert screen.composer.input.text == ""
        assert not engine.closed
        await pilot.press("ctrl+d")
        await until(pilot, lambda: engine.closed)


async def test_quitting_before_the_engine_is_there_says_what_was_not_sent() -> None:
    async def opener(launch: Launch) -> Session:
        raise StoreError("The database is locked")

    app = ConsoleApp(Launch(FOLDER), opener)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.console_screen.failed_to_open)
        await press(pilot, *"important", "enter")
        await pilot.press("ctrl+q")
        await until(pilot, lambda: app.return_value)
    assert "important" in (app.return_value or "")


# Signing in.


async def test_without_an_account_the_ways_to_sign_in_are_offered(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.account = AccountRead(signed_in=False, needed=True, label="")
    async with console(size=(80, 30)) as (screen, pilot):
        assert screen.sign_in is not None and screen.sign_in.display
        assert screen.focused is screen.composer.input
        await press(pilot, "f6", "d")
        await until(pilot, lambda: engine.logins == [True])
        await until(pilot, lambda: "AB-12" in _sign_in_text(screen))
        engine.feed.tell(AccountRead(signed_in=True, needed=True, label="ida@example.org"))
        await until(pilot, lambda: screen.sign_in and not screen.sign_in.display)
        assert "ida@example.org" in notice(screen)
        assert screen.focused is screen.composer.input


async def test_an_api_key_is_shown_as_dots_and_handed_on(console: OpenConsole, engine: FakeEngine) -> None:
    engine.account = AccountRead(signed_in=False, needed=True, label="")
    async with console(size=(80, 30)) as (screen, pilot):
        await press(pilot, "f6", "k")
        assert screen.sign_in is not None
        field = screen.sign_in.query_one(Input)
        await until(pilot, lambda: screen.focused is field)
        assert field.password
        await press(pilot, *"sk-1", "enter")
        await until(pilot, lambda: engine.api_keys == ["sk-1"])
        assert field.value == ""


def _sign_in_text(screen: ConsoleScreen) -> str:
    assert screen.sign_in is not None
    return str(screen.sign_in.query("Static").first().render())


async def test_where_no_sign_in_is_needed_none_is_offered(console: OpenConsole, engine: FakeEngine) -> None:
    engine.account = AccountRead(signed_in=False, needed=False, label="scripted")
    async with console() as (screen, _):
        assert screen.sign_in is not None and not screen.sign_in.display


async def test_a_host_that_cannot_be_had_is_told_until_there_is_one(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console() as (screen, pilot):
        engine.feed.tell(HostChanged(HostPhase.UNAVAILABLE, "No Codex was found. Install it."))
        await until(pilot, lambda: "No Codex was found" in notice(screen))
        engine.feed.tell(HostChanged(HostPhase.READY, "Codex 1.2.3"))
        await until(pilot, lambda: notice(screen) == "")


async def test_a_dismissed_reason_does_not_come_back_with_the_list(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        conversation.become(Status.STALLED, "usage limit reached", restartable=True)
        await until(pilot, lambda: "It stopped. Write on; F5 runs it again" in notice(screen))
        await press(pilot, "escape")
        engine.add(FOLDER, "another")
        await until(pilot, lambda: len(screen.sessions.ids) == 2)
        assert notice(screen) == ""
        conversation.become(Status.RUNNING)
        await until(pilot, lambda: "running" in status(screen))


async def test_alt_enter_is_a_new_line_in_old_terminals_too(console: OpenConsole) -> None:
    async with console():
        keys = [event.key for event in XTermParser(debug=False).feed("\x1b\r") if isinstance(event, Key)]
    assert keys == ["alt+enter"]


async def test_everything_works_by_mouse(console: OpenConsole, engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(size=(120, 40)) as (screen, pilot):
        await until(pilot, lambda: screen.sessions.option_count == 2)
        await pilot.click("#sessions", offset=(5, 1))
        await until(pilot, lambda: screen.desk and screen.desk.current.id == conversation.id)
        await pilot.click("#keys", offset=(keys_shown(screen).index("New", 20), 0))
        await until(pilot, lambda: screen.desk and screen.desk.current.id is None)
        await pilot.click("#keys", offset=(keys_shown(screen).index("Help"), 0))
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
