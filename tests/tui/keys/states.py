"""Every state of the screen in which keys mean something of their own, each made on an engine in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, cast

from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import OptionList

from core.agent.lookups import CommandOutput
from core.conversation.feed import AccountRead
from core.settings import Settings
from core.thread.boxes import ASSISTANT, USER, draft
from core.thread.state import Status
from tests.tui import examples
from tests.tui.conftest import FOLDER, ConsoleApp
from tests.tui.fake_engine import FakeConversation
from tests.tui.host import press, settled, until
from tests.tui.ledger.fake import FakeLedger
from tests.tui.ledger.fake import some as decisions
from tests.tui.rules.fake import FakeRulebook
from tests.tui.rules.fake import some as rules
from tests.tui.sessions.fake_sessions import BrowserEngine, session
from tui.launch import Launch
from tui.prompts.prompt import Prompt
from tui.screens.confirm import ConfirmScreen
from tui.screens.confirm import Question as Asked
from tui.screens.line import LineScreen
from tui.screens.page import PageScreen, Part
from tui.screens.pick import Pick, PickScreen

Run = Callable[[Pilot[str]], Awaitable[None]]
Made = tuple[ConsoleApp, Run]
TEXT = "\n\n".join(f"Paragraph {number} of the log." for number in range(40))


def harbour(**settings: Any) -> tuple[BrowserEngine, FakeConversation]:
    """Two conversations, with sessions, rules and decisions; the one that was used last is given."""
    engine = BrowserEngine()
    engine.settings = Settings(**settings)
    other = cast(Any, engine)
    other.ledger, other.rules = FakeLedger(decisions()), FakeRulebook(rules())
    engine.sessions.entries = [session(1, "One"), session(2, "Two")]
    engine.add(FOLDER, "Paint the pier")
    conversation = engine.add(FOLDER, "Greet every boat", draft(USER, "Hello"), draft(ASSISTANT, TEXT))
    return engine, conversation


def made(engine: BrowserEngine, *keys: str, run: Run | None = None) -> Made:
    """The console, with these keys pressed one by one, and then more done."""

    async def going(pilot: Pilot[str]) -> None:
        screen = cast(ConsoleApp, pilot.app).console_screen
        await until(pilot, lambda: screen.desk is not None and screen.desk.infos)
        await until(pilot, lambda: screen.sign_in is not None and screen.sign_in.is_mounted)
        await settled(pilot)
        await press(pilot, *keys)
        if run is not None:
            await run(pilot)
        await settled(pilot)

    return ConsoleApp(Launch(FOLDER, latest=True), engine.opener), going


def plain(*keys: str, run: Run | None = None) -> Made:
    return made(harbour()[0], *keys, run=run)


def running(*keys: str) -> Made:
    engine, conversation = harbour()
    conversation.state = replace(conversation.state, status=Status.RUNNING, turn_id="turn")
    return made(engine, *keys)


async def _choices_there(pilot: Pilot[str]) -> None:
    await until(pilot, lambda: pilot.app.query_one("#completions", OptionList).option_count)


def command(*, over: bool, where: str) -> Made:
    """A command of the person's own: it runs, or is over; the focus is in its pane or in the composer."""
    engine, _ = harbour()

    async def run(pilot: Pilot[str]) -> None:
        screen = cast(ConsoleApp, pilot.app).console_screen
        await until(pilot, lambda: engine.shell.commands)
        engine.shell.say(CommandOutput("on main\n"))
        if over and engine.shell.end is not None:
            engine.shell.end.set_result(0)
        pane = screen.commands.pane
        await until(pilot, lambda: pane is not None and pane.run is not None and pane.run.over == over)
        await until(pilot, lambda: pane is not None and pane.query("PaneKey"))
        (screen.composer.input if where == "composer" else pane).focus()  # type: ignore[union-attr]

    return made(engine, *"!git status", "enter", run=run)


def prompt(kind: str, *more: str, several: bool = False, focus: str = "") -> Made:
    """A prompt of that kind with the focus in it, and then these keys."""
    engine, conversation = harbour()
    engine.ask(examples.notified(examples.KINDS[kind], 7, conversation_id=conversation.id))
    if several:
        engine.ask(examples.notified(examples.COMMAND, 8, conversation_id=conversation.id))

    async def run(pilot: Pilot[str]) -> None:
        await armed(pilot)
        if focus:
            pilot.app.screen.query_one(Prompt).query(focus).first().focus()
            await settled(pilot)
        await press(pilot, *more)

    return made(engine, "f6", run=run)


async def armed(pilot: Pilot[str]) -> None:
    await until(pilot, lambda: pilot.app.screen.query(Prompt) and pilot.app.screen.query_one(Prompt).armed)


def waiting() -> Made:
    """A message waits behind the turn."""
    engine, conversation = harbour()
    conversation.state = replace(conversation.state, status=Status.RUNNING, turn_id="turn")

    async def run(pilot: Pilot[str]) -> None:
        await until(pilot, lambda: conversation.outbox)

    return made(engine, *"later", "tab", run=run)


def sign_in(*keys: str) -> Made:
    engine, _ = harbour()
    engine.account = AccountRead(signed_in=False, needed=True, label="")
    return made(engine, "f6", *keys)


def over(key: str, *keys: str, ask: bool = False) -> Made:
    """A screen over the console."""
    engine, conversation = harbour()
    if ask:
        for number in (7, 8):
            engine.ask(examples.notified(examples.COMMAND, number, conversation_id=conversation.id))

    async def run(pilot: Pilot[str]) -> None:
        await until(pilot, lambda: len(pilot.app.screen_stack) > 1 and pilot.app.screen.is_mounted)
        await pilot.pause(0.2)
        await settled(pilot)
        await press(pilot, *keys)

    return made(engine, key, run=run)


def dialog(make: Callable[[], Screen[Any]], *keys: str) -> Made:
    async def run(pilot: Pilot[str]) -> None:
        pilot.app.push_screen(make())
        await until(pilot, lambda: len(pilot.app.screen_stack) > 1 and pilot.app.screen.is_mounted)
        await settled(pilot)
        await press(pilot, *keys)

    return plain(run=run)


PROMPTS = ("command", "long_command", "permissions", "question", "link")
STATES: dict[str, Callable[[], Made]] = {
    "composer, empty": plain,
    "composer, text": lambda: plain(*"Hello"),
    "composer, a line for the shell": lambda: plain(*"!ls"),
    "composer, a slash command": lambda: plain(*"/help "),
    "composer, a turn runs": running,
    "composer, a turn runs, text": lambda: running(*"and"),
    "composer, completions": lambda: plain(*"/re", run=_choices_there),
    "composer, a message waits": waiting,
    "command runs, pane": lambda: command(over=False, where="pane"),
    "command runs, composer": lambda: command(over=False, where="composer"),
    "command over, pane": lambda: command(over=True, where="pane"),
    "command over, composer": lambda: command(over=True, where="composer"),
    **{f"prompt, {kind}": (lambda kind=kind: prompt(kind)) for kind in PROMPTS},
    "prompt, one of two": lambda: prompt("command", several=True),
    "prompt, a choice is marked": lambda: prompt("command", "right"),
    "prompt, saying": lambda: prompt("command", "m", *"no"),
    "prompt, a field": lambda: prompt("form", focus="Input"),
    "sign in": sign_in,
    "sign in, marked": lambda: sign_in("right"),
    "transcript": lambda: plain("shift+tab", "up"),
    "find bar, nothing": lambda: plain("ctrl+f"),
    "find bar, several": lambda: plain("ctrl+f", *"log", run=lambda pilot: found(pilot)),
    "list": lambda: plain("ctrl+b", "down"),
    "inspector, plan": lambda: plain("ctrl+o"),
    "inspector, usage": lambda: plain("ctrl+o", "left"),
    "inbox, empty": lambda: over("f2"),
    "inbox": lambda: over("f2", ask=True),
    "inbox, prompt": lambda: over("f2", "f6", ask=True),
    "sessions, line": lambda: over("f3"),
    "sessions, line with text": lambda: over("f3", *"On"),
    "sessions, list": lambda: over("f3", "tab"),
    "sessions, reading": lambda: over("f3", "tab", "v"),
    "ledger": lambda: over("f4"),
    "ledger, text": lambda: over("f4", *"git"),
    "ledger, details": lambda: over("f4", "tab"),
    "ledger, export": lambda: over("f4", "ctrl+s"),
    "rules": lambda: over("f7"),
    "rules, profiles": lambda: over("f7", "p"),
    "rules, revoked": lambda: over("f7", "x"),
    "rules, trying": lambda: over("f7", "t", *"ls"),
    "rules, editor": lambda: over("f7", "e"),
    "settings": lambda: over("f8"),
    "settings, editing": lambda: over("f8", "down", "down", "enter"),
    "help": lambda: over("f1"),
    "palette": lambda: over("ctrl+p"),
    "history": lambda: plain(*"x", "ctrl+r"),
    "menu of a block": lambda: plain("shift+tab", "enter"),
    "pick": lambda: dialog(lambda: PickScreen("Choose", [Pick("a", "a"), Pick("b", "b")])),
    "pick, nothing": lambda: dialog(lambda: PickScreen("Choose", [Pick("a", "a"), Pick("b", "b")]), "z"),
    "line": lambda: dialog(lambda: LineScreen("A title")),
    "confirm": lambda: dialog(lambda: ConfirmScreen(Asked("Sure?", ["It goes."], "No", "Yes"))),
    "page": lambda: dialog(lambda: PageScreen("Tools", [Part("One", [("a", "b")])])),
    "page, long": lambda: dialog(lambda: PageScreen("Tools", [Part("One", [("a", "b")] * 60)])),
}
"""By name; the screen has 80 columns and 24 rows."""


async def found(pilot: Pilot[str]) -> None:
    screen = cast(ConsoleApp, pilot.app).console_screen
    await until(
        pilot, lambda: screen.reading.find_bar is not None and " of " in screen.reading.find_bar.state
    )
