"""What each slash command does: a small function a name. Loaded when the first one is given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from core.conversation.workspace import Choices
from core.errors import InvalidRequest
from tui.screens.confirm import Question
from tui.slash import keeping, knowing, working
from tui.slash.catalog import COMMANDS

if TYPE_CHECKING:
    from tui.desk import Desk
    from tui.screens.console import ConsoleScreen

Run = Callable[["ConsoleScreen", "Desk", str], Awaitable[None]]
"""Given the console, its desk and what followed the name. Raises QuarterdeckError, which is told."""


async def run(console: ConsoleScreen, desk: Desk, name: str, argument: str) -> None:
    """Raises InvalidRequest for a name that is none, and what the command raises."""
    found = RUNS.get(name)
    if found is None:
        raise InvalidRequest(
            f"There is no command /{name}", todo=f"{console.key_name('command_palette')} shows all of them."
        )
    await found(console, desk, argument.strip())


def doing(action: str) -> Run:
    """An action of the console that takes no argument."""

    async def do(console: ConsoleScreen, desk: Desk, argument: str) -> None:
        del desk, argument
        if not hasattr(console, f"action_{action.partition('(')[0]}"):
            raise InvalidRequest("This version of Quarterdeck has nothing for that yet")
        await console.run_action(action)

    return do


async def new(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    _, images = desk.current.writing.parts.expand(argument)
    place = await console.operating.begin_new(desk)
    if argument:
        console.composer.send_besides(place.writing, argument, images)


async def model(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    words = argument.split()
    if not words:
        console.switching.switch("model")
        return
    if len(words) > 2:
        raise InvalidRequest("A model and an effort are all there is to give", todo="/model MODEL EFFORT")
    effort = words[1] if len(words) == 2 else None
    await console.switching.choose(Choices(model=words[0], effort=effort))


async def profile(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    if argument:
        await console.switching.choose(Choices(profile=argument))
    else:
        console.switching.switch("profile")


async def theme(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    await console.configuring.switch_theme(argument)


async def login(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    if console.sign_in is not None:
        console.sign_in.offer()
        console.sign_in.display = True
        console.sign_in.enter()


async def logout(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    lines = ("Every client of this Codex is signed out: its own TUI and the IDE too.",)
    question = Question("Sign out?", lines, no="No: stay signed in", yes="Yes: sign out")
    if await console.operating.agreed(question):
        await desk.engine.operations.logout()
        console.notices.tell("Signed out. /login signs in again.")


RUNS: dict[str, Run] = {
    "new": new,
    "resume": keeping.resume,
    "fork": keeping.fork,
    "revert": keeping.revert,
    "rename": keeping.rename,
    "archive": keeping.archive,
    "unarchive": keeping.unarchive,
    "delete": keeping.delete,
    "export": keeping.export,
    "copy": keeping.copy,
    "compact": working.compact,
    "review": working.review,
    "diff": working.diff,
    "plan": working.plan,
    "goal": working.goal,
    "init": working.init,
    "model": model,
    "profile": profile,
    "mcp": knowing.mcp,
    "skills": knowing.skills,
    "status": knowing.status,
    "usage": doing("inspect('usage')"),
    "feedback-file": knowing.feedback_file,
    "history": doing("history"),
    "theme": theme,
    "inbox": doing("over('inbox')"),
    "ledger": doing("over('ledger')"),
    "rules": doing("over('rules')"),
    "settings": doing("over('settings')"),
    "keys": doing("help"),
    "login": login,
    "logout": logout,
    "quit": doing("quit"),
    "help": doing("help"),
}
"""Every command of the catalog."""

assert RUNS.keys() == {command.name for command in COMMANDS}
