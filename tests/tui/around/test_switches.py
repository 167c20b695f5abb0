"""The switches: what they offer, what taking one does, and that the status line says so at once."""

from __future__ import annotations

from core.access.policy import Profile, ProfileId
from core.agent.port import Approvals, Sandbox
from core.conversation.choosing import Selected
from core.conversation.feed import HostChanged, HostPhase
from core.conversation.workspace import Choices
from core.errors import Unauthorized
from core.thread.boxes import ASSISTANT, draft
from core.thread.state import Status
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import MODELS, FakeEngine
from tests.tui.host import press, settled, until
from tui.launch import Launch
from tui.screens.console import ConsoleScreen
from tui.screens.pick import PickScreen
from tui.screens.switches import change_of, picks_of
from tui.widgets.status_line import StatusText, ThreadClock

NOW = Selected("gpt-5", "medium", "autopilot", "workspace-write", "on-request")


def line(screen: ConsoleScreen) -> str:
    return str(screen.query_one(StatusText).render())


def test_each_switch_offers_what_there_is_and_marks_what_holds() -> None:
    profiles = (Profile(ProfileId("autopilot"), "goes ahead", Sandbox.WORKSPACE_WRITE),)
    efforts = picks_of("effort", NOW, MODELS, profiles)
    assert [(pick.name, pick.current) for pick in efforts] == [
        ("low", False),
        ("medium", True),
        ("high", False),
    ]
    assert efforts[1].words == "Balanced · the model's own"
    assert [pick.current for pick in picks_of("model", NOW, MODELS, profiles)] == [True, False]
    assert picks_of("profile", NOW, MODELS, profiles)[0].words == "goes ahead"
    notes = {pick.name: pick.note for pick in picks_of("sandbox", NOW, MODELS, profiles)}
    assert notes["danger-full-access"] == "beyond the profile autopilot"
    assert notes["workspace-write"] == ""


def test_a_pick_says_what_it_changes() -> None:
    assert change_of("sandbox=read-only") == Choices(sandbox=Sandbox.READ_ONLY)
    assert change_of("approvals=never") == Choices(approvals=Approvals.NEVER)
    assert change_of("model=a=b") == Choices(model="a=b")


async def test_a_switch_is_found_by_typing_and_seen_in_the_status_line_at_once(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        screen.action_switch("effort")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))
        await press(pilot, *"thor", "enter")
        await until(pilot, lambda: conversation.selected)
        assert conversation.selected == [Choices(effort="high")]
        await until(pilot, lambda: "→high" in line(screen))
        assert "From the next turn on: high" in str(screen.notices.render())


async def test_escape_switches_nothing(console: OpenConsole, engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        screen.action_switch("model")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))
        await press(pilot, "down", "escape")
        assert pilot.app.screen is screen
        assert not conversation.selected


async def test_a_click_on_the_model_opens_its_switch(console: OpenConsole, engine: FakeEngine) -> None:
    engine.add(FOLDER, "boats")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await until(pilot, lambda: "gpt-5" in line(screen))
        text = screen.query_one(StatusText)
        at = text.size.width - len(line(screen)) + line(screen).index("gpt-5")
        await pilot.click(StatusText, offset=(at, 0))
        await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))


async def test_a_refused_switch_says_why(console: OpenConsole, engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.fails = Unauthorized("The profile may not", why="it goes no wider than read-only")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await screen.switching.choose(Choices(sandbox=Sandbox.FULL_ACCESS))
        await settled(pilot)
        assert "it goes no wider than read-only" in str(screen.notices.render())


async def test_what_is_chosen_before_there_is_a_conversation_is_what_it_begins_with(
    console: OpenConsole, engine: FakeEngine
) -> None:
    async with console() as (screen, pilot):
        await until(pilot, lambda: "gpt-5 medium" in line(screen))
        await screen.switching.choose(Choices(model="gpt-5-mini", profile="observer"))
        assert "gpt-5-mini" in line(screen)
        await press(pilot, *"hi", "enter")
        await until(pilot, lambda: engine.open_conversations)
        (begun,) = engine.open_conversations.values()
        assert (begun.selection.model, begun.selection.profile) == ("gpt-5-mini", "observer")


async def test_a_message_that_only_waits_for_codex_is_not_said_to_run(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    engine.host = HostChanged(HostPhase.UNAVAILABLE, "No Codex")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        conversation.become(Status.RUNNING, turn_id=None)
        clock = screen.query_one(ThreadClock)
        await until(pilot, lambda: "waits for Codex" in str(clock.render()))
        conversation.become(Status.RUNNING, turn_id="turn")
        engine.host = HostChanged(HostPhase.READY, "Codex 1")
        engine.feed.tell(engine.host)
        await until(pilot, lambda: "running" in str(clock.render()))


async def test_what_came_in_another_conversation_is_marked_until_one_goes_there(
    console: OpenConsole, engine: FakeEngine
) -> None:
    other = engine.add(FOLDER, "pier")
    engine.add(FOLDER, "boats")
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):

        def lines() -> str:
            return "\n".join(str(option.prompt) for option in screen.sessions.options)

        await until(pilot, lambda: "pier" in lines())
        assert "• pier" not in lines()
        other.add(draft(ASSISTANT, "There are four."))
        await until(pilot, lambda: "• pier" in lines())
        screen.go_to(other.id)
        await until(pilot, lambda: "• pier" not in lines() and "pier" in lines())
