"""The states of the console that are kept as pictures, each made on an engine in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from textual.pilot import Pilot

from core.agent.events import Channel
from core.agent.items import AgentMessage
from core.conversation.feed import AccountRead, LiveDelta, LiveStarted, UsageChanged
from core.errors import StoreError
from core.thread.boxes import USER, InputMeta, draft
from core.thread.state import Status
from tests.tui import examples
from tests.tui.conftest import FOLDER, ConsoleApp
from tests.tui.fake_engine import FakeConversation, FakeEngine
from tests.tui.host import press, settled, until
from tests.tui.transcript.gallery import gallery
from tui.launch import Launch

Run = Callable[[Pilot[Any]], Awaitable[None]]
DAY = 86_400_000


def said(text: str) -> Any:
    return draft(USER, text, InputMeta(key=text))


def harbour() -> tuple[FakeEngine, FakeConversation]:
    """Some conversations; the last one is returned."""
    engine = FakeEngine()
    engine.add(FOLDER, "Paint the pier before the season begins")
    engine.add(FOLDER.parent / "lighthouse", "Why does the lamp flicker?")
    busy = engine.add(FOLDER, "Count the boats")
    busy.info = replace(busy.info, state="running")
    waiting = engine.add(FOLDER, "Deepen the harbour")
    engine.ask(examples.notified(examples.COMMAND, 90, conversation_id=waiting.id))
    conversation = engine.add(FOLDER, "Greet every boat")
    conversation.usage = UsageChanged(conversation.id, 52_000, 41_000, 258_000)
    return engine, conversation


def app_of(engine: FakeEngine, *, latest: bool = True) -> ConsoleApp:
    return ConsoleApp(Launch(FOLDER, latest=latest), engine.opener)


async def up(pilot: Pilot[Any]) -> None:
    """The console is up, and nothing on it moves by itself."""
    app = pilot.app
    assert isinstance(app, ConsoleApp)
    screen = app.console_screen
    await until(pilot, lambda: screen.desk is not None and screen.desk.infos)
    await until(pilot, lambda: screen.sign_in is not None and screen.sign_in.is_mounted)
    screen.composer.input.cursor_blink = False
    await settled(pilot)


def empty() -> tuple[ConsoleApp, Run]:
    engine, _ = harbour()
    return app_of(engine, latest=False), up


def all_kinds() -> tuple[ConsoleApp, Run]:
    engine, conversation = harbour()
    conversation.boxes.extend(gallery())
    return app_of(engine), up


def running() -> tuple[ConsoleApp, Run]:
    engine, conversation = harbour()
    conversation.add(said("How many boats are there?"))
    conversation.state = replace(conversation.state, status=Status.RUNNING, turn_id="turn")

    async def run(pilot: Pilot[Any]) -> None:
        await up(pilot)
        engine.feed.tell(LiveStarted(conversation.id, AgentMessage(id="m", text="")))
        text = "I looked at the **north** pier first. There are *four* boats, one of them with a red"
        engine.feed.tell(LiveDelta(conversation.id, "m", Channel.MESSAGE, text))
        await press(pilot, *"and the south pier?")
        await settled(pilot)

    return app_of(engine), run


def prompt(kind: str, *, entered: bool = False) -> tuple[ConsoleApp, Run]:
    engine, conversation = harbour()
    conversation.add(said("Please make the boats feel welcome."))
    conversation.state = replace(conversation.state, status=Status.RUNNING, turn_id="turn")
    engine.ask(examples.notified(examples.KINDS[kind], 7, conversation_id=conversation.id))

    async def run(pilot: Pilot[Any]) -> None:
        await up(pilot)
        if entered:
            await press(pilot, "f6")
            app = pilot.app
            assert isinstance(app, ConsoleApp)
            area = app.console_screen.prompts
            await until(pilot, lambda: area and area.prompt and area.prompt.armed)
            await press(pilot, "right")

    return app_of(engine), run


def sign_in() -> tuple[ConsoleApp, Run]:
    engine, _ = harbour()
    engine.account = AccountRead(signed_in=False, needed=True, label="")
    return app_of(engine, latest=False), up


def error() -> tuple[ConsoleApp, Run]:
    engine, conversation = harbour()
    conversation.add(said("Hello"))
    conversation.fails = StoreError(
        "The message is not saved", why="the disk is full", todo="Make room, then press Enter again."
    )

    async def run(pilot: Pilot[Any]) -> None:
        await up(pilot)
        await press(pilot, *"Are you there?", "enter")
        app = pilot.app
        assert isinstance(app, ConsoleApp)
        await until(pilot, lambda: app.console_screen.notices.showing)
        await settled(pilot)

    return app_of(engine), run


def help_screen() -> tuple[ConsoleApp, Run]:
    engine, _ = harbour()

    async def run(pilot: Pilot[Any]) -> None:
        await up(pilot)
        await press(pilot, "f1")
        await settled(pilot)

    return app_of(engine), run


def listing() -> tuple[ConsoleApp, Run]:
    engine, conversation = harbour()
    conversation.boxes.extend(gallery())

    async def run(pilot: Pilot[Any]) -> None:
        await up(pilot)
        await press(pilot, "ctrl+b", "down")
        await settled(pilot)

    return app_of(engine), run


STATES: dict[str, Callable[[], tuple[ConsoleApp, Run]]] = {
    "empty": empty,
    "all_kinds": all_kinds,
    "running": running,
    **{f"prompt_{kind}": lambda kind=kind: prompt(kind) for kind in examples.KINDS},
    "prompt_command_entered": lambda: prompt("command", entered=True),
    "prompt_question_entered": lambda: prompt("question", entered=True),
    "sign_in": sign_in,
    "error": error,
    "help": help_screen,
    "listing": listing,
}
