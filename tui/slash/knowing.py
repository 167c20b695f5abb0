"""Slash commands that only tell: of Codex, of its servers and skills, of this conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tui.screens.page import PageScreen, Part
from tui.slash.keeping import file_in

if TYPE_CHECKING:
    from core.agent.operations import McpServer
    from tui.desk import Desk
    from tui.screens.console import ConsoleScreen

_CONNECTION = {
    "notStarted": "not started",
    "authenticationRequired": "wants you to sign in",
    "": "state unknown",
}
_SIGNED_IN = {"notLoggedIn": "not signed in", "bearerToken": "with a token", "oAuth": "signed in"}


async def mcp(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    servers = await desk.engine.operations.mcp_servers(desk.current.id)
    console.app.push_screen(PageScreen("MCP servers", parts_of_servers(servers)))


def parts_of_servers(servers: Sequence[McpServer]) -> list[Part]:
    """Each with its tools."""
    if not servers:
        return [Part("No MCP servers", (), "Codex's config.toml names them, under [mcp_servers].")]
    return [Part(_server_words(server), server.tools, server.error or "No tools.") for server in servers]


def _server_words(server: McpServer) -> str:
    state = _CONNECTION.get(server.status, server.status)
    signed_in = _SIGNED_IN.get(server.auth, "")
    return " · ".join(part for part in (server.name, state, signed_in) if part)


async def skills(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    found = await desk.engine.catalogs.skills(desk.current.path)
    scopes = list(dict.fromkeys(skill.scope for skill in found))
    parts = [
        Part(_scope_words(scope), [(one.name, one.description) for one in found if one.scope == scope])
        for scope in scopes
    ]
    none = Part("No skills", (), "A skill is a folder with a SKILL.md, in .agents/skills of a repository.")
    console.app.push_screen(PageScreen("Skills: write $ and a name to use one", parts or [none]))


def _scope_words(scope: str) -> str:
    words = {
        "user": "Yours",
        "repo": "Of this repository",
        "system": "Codex's own",
        "admin": "Of this machine",
    }
    return words.get(scope, scope)


async def status(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    place = desk.current
    account = desk.engine.account
    signed_in = account.label or "signed in" if account is not None and account.signed_in else "not signed in"
    codex = [("Codex", desk.engine.host.text), ("Account", signed_in)]
    here = [("Folder", str(place.path)), ("Branch", console.branch or "none")]
    if place.conversation is not None:
        info = place.conversation.info
        here += [
            ("Title", info.title or "none yet"),
            ("Conversation", info.id),
            ("Codex's thread", info.thread_id or "none yet"),
            ("State", place.state.status.value),
            *([("Written by", place.writer)] if place.writer else []),
        ]
    selected = console.selected()
    runs = (
        [
            (name, value or "as Codex is set")
            for name, value in (
                ("Model", selected.model),
                ("Effort", selected.effort),
                ("Profile", selected.profile),
                ("Sandbox", selected.sandbox),
                ("Approvals", selected.approvals),
                ("Plans first", "yes; /plan ends it" if selected.planning else "no"),
            )
        ]
        if selected is not None
        else []
    )
    parts = (
        Part("Codex", codex),
        Part("This conversation", here),
        Part("The next turn runs with", runs, "Not known yet."),
    )
    console.app.push_screen(PageScreen("Status", parts))


async def feedback_file(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    from core.feedback import write_feedback
    from core.logfile import log_file
    from tui.crash import crash_file

    assert console.session is not None
    path = file_in(desk.current.path, argument or "quarterdeck-feedback.txt")
    written = await write_feedback(
        console.session.settings, desk.engine.host.text, path, (log_file(), crash_file())
    )
    console.notices.tell(f"Wrote {written}. Nothing was sent: read it, then give it to whom you like.")
