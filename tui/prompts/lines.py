"""What is shown of a request for a person to judge it, as lines. Pure.

Every text that others wrote has been through `safe`. Nothing is left out: what is too much to show whole
makes the whole not `complete`, and what is not complete cannot be accepted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from core.agent.items import Change
from core.agent.requests import (
    CommandApproval,
    FileApproval,
    McpForm,
    McpLink,
    OtherRequest,
    PermissionsApproval,
    Question,
    Request,
    ToolRequest,
)
from tui.transcript import safe

LINE_LIMIT = 100_000
"""Characters of one line; a longer one cannot be judged here."""

LINES_LIMIT = 50_000
"""Lines of one request."""

Look = Literal["text", "code", "label", "added", "removed", "muted", "warning"]


@dataclass(frozen=True, slots=True)
class Line:
    """One logical line. `margin` stands before its first row; rows after it are indented as far."""

    text: str
    look: Look = "text"
    margin: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """`lacks`: why it is not all there, a clause about "it"; "" where it is. `odd`: it has characters that hide or
    reorder text, shown by name.
    """

    lines: tuple[Line, ...]
    lacks: str = ""
    odd: bool = False

    @property
    def complete(self) -> bool:
        return not self.lacks


TOO_MUCH = "it is too much to show whole"
NO_FILES = "Codex has not said which files"


def judged(lines: Iterable[Line], beside: Iterable[str] = (), lacks: str = "") -> Judged:
    """Raw lines made harmless, with a warning before them if one had characters that could deceive.

    `beside`: raw texts that stand in fields below, by `field_text`, and are judged with them. `lacks`: what else is
    not there to be judged.
    """
    shown: list[Line] = []
    complete, odd = True, False
    for line in lines:
        if len(shown) >= LINES_LIMIT:
            complete = False
            break
        for text in line.text.split("\n"):
            complete = complete and len(text) <= LINE_LIMIT
            odd = odd or safe.deceives(text)
            shown.append(Line(safe.exact(text, LINE_LIMIT), line.look, line.margin))
    for text in (part for whole in beside for part in whole.split("\n")):
        complete = complete and len(text) <= LINE_LIMIT
        odd = odd or safe.deceives(text)
    notes: list[Line] = []
    if odd:
        notes.append(
            Line(
                "Look closely: it has characters that hide or reorder text, shown as ⟨NAME⟩.", "warning", "! "
            )
        )
    lacks = lacks if complete else TOO_MUCH
    if lacks:
        notes.append(Line(f"{lacks[0].upper()}{lacks[1:]}, so it cannot be accepted here.", "warning", "! "))
    return Judged((*notes, *shown), lacks, odd)


def field_text(text: str) -> str:
    """A text in a field, as whole and as exact as the lines above it."""
    return "\n".join(safe.exact(part, LINE_LIMIT) for part in text.split("\n"))


_ROOM = {
    "read-only": "nothing could be changed",
    "workspace-write": "only the workspace could be changed",
    "danger-full-access": "full access",
}


def of_command(request: CommandApproval, sandbox: str = "") -> Iterator[Line]:
    """The command or the keys to type, whole; where; why; what else saying yes would do.

    `sandbox`: the one that it would leave, "" where that is not known.
    """
    if request.stdin:
        keys = request.command.replace("\n", "⏎")
        yield Line(keys, "code", "⌨ ")
    else:
        yield from _hung(request.command, "code", "$ ")
    yield Line(request.cwd, "muted", "in ")
    if request.reason:
        yield Line(request.reason, "text", "why ")
    if request.network_host:
        yield Line(request.network_host, "warning", "reaches ")
    for right in request.rights:
        yield Line(right.label, "warning", "also gets ")
    if sandbox and not request.stdin:
        room = f", where {_ROOM[sandbox]}" if sandbox in _ROOM else ""
        yield Line(f"the sandbox {sandbox}{room}", "text", "may leave ")


def of_cautions(cautions: Iterable[str]) -> Iterator[Line]:
    """What it looks like that destroys something."""
    named = ", ".join(cautions)
    if named:
        yield Line(f"It may destroy something ({named}): accepting it asks twice.", "warning", "! ")


def of_files(request: FileApproval) -> Iterator[Line]:
    """Every file and every changed line."""
    if request.reason:
        yield Line(request.reason, "text", "why ")
    if request.grant_root:
        yield Line(request.grant_root, "warning", "would open for writing ")
    for change in request.changes:
        yield from _change(change)


def lacking(request: Request) -> str:
    """What a request itself leaves out that would have to be judged."""
    return NO_FILES if isinstance(request, FileApproval) and not request.changes else ""


def _change(change: Change) -> Iterator[Line]:
    lines = change.diff.removesuffix("\n").split("\n") if change.diff else []
    if change.verb == "update":
        added = sum(line.startswith("+") for line in lines)
        removed = sum(line.startswith("-") for line in lines)
    else:
        added, removed = (len(lines), 0) if change.verb == "add" else (0, len(lines))
    moved = f" → {change.move_path}" if change.move_path else ""
    verb = {"add": "new", "delete": "delete", "update": "edit"}[change.verb]
    yield Line(f"{change.path}{moved}  +{added} −{removed}", "label", f"{verb} ")
    for line in lines:
        yield _diff_line(change.verb, line)


def _diff_line(verb: str, line: str) -> Line:
    if verb == "add":
        return Line(line, "added", "+ ")
    if verb == "delete":
        return Line(line, "removed", "- ")
    if line.startswith("+"):
        return Line(line[1:], "added", "+ ")
    if line.startswith("-"):
        return Line(line[1:], "removed", "- ")
    if line.startswith("@@"):
        return Line(line, "muted", "  ")
    return Line(line[1:] if line.startswith(" ") else line, "code", "  ")


def of_permissions(request: PermissionsApproval) -> Iterator[Line]:
    """Why, and where; the rights themselves are fields."""
    if request.reason:
        yield Line(request.reason, "text", "why ")
    yield Line(request.cwd, "muted", "in ")


def of_question(request: Question) -> Iterator[Line]:
    """Only what is said about all its parts; the parts are fields."""
    if not request.blocking:
        yield Line("It can be left unanswered: n answers nothing.", "muted")


def of_form(request: McpForm) -> Iterator[Line]:
    yield Line(request.server, "label", "from ")
    yield Line(request.message, "text")
    if request.arguments:
        yield from _hung(pretty(request.arguments), "code", "with ")


def of_link(request: McpLink) -> Iterator[Line]:
    yield Line(request.server, "label", "from ")
    yield Line(request.message, "text")
    yield Line(request.url, "code", "→ ")


def of_tool(request: ToolRequest) -> Iterator[Line]:
    """The tool, and what it would be given."""
    yield Line(request.tool, "label", "tool ")
    yield from _hung(pretty(request.arguments), "code", "with ")


def of_other(request: OtherRequest | ToolRequest) -> Iterator[Line]:
    """As Codex sent it."""
    if isinstance(request, ToolRequest):
        yield from of_tool(request)
    else:
        yield Line(request.method, "label", "asks ")
        yield from _hung(pretty(request.raw), "code", "with ")


def pretty(text: str) -> str:
    """JSON text laid out in lines; anything else as it is."""
    if len(text) > LINE_LIMIT:
        return text
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _hung(text: str, look: Look, margin: str) -> Iterator[Line]:
    """Lines of one thing: the margin before the first, its width before the others."""
    for number, line in enumerate(text.split("\n")):
        yield Line(line, look, margin if number == 0 else " " * len(margin))
