"""The line below the field: how many of how many are shown, what filters, what the index does. Pure."""

from __future__ import annotations

from textual.content import Content

from core.sessions.model import Facets, IndexPhase, Progress
from tui.sessions.filter_line import Asked
from tui.transcript import cells, safe


def told_content(
    *,
    shown: int,
    total: int,
    asked: Asked,
    facets: Facets,
    progress: Progress,
    searching: bool,
    width: int,
) -> Content:
    """At most `width` cells; what is wrong comes first."""
    count = f"showing {shown:,} of {total:,}" + (" …" if searching else "")
    parts: list[tuple[str, str]] = [(count, "$foreground 80%")]
    parts += [(problem, "$warning") for problem in asked.problems]
    if asked.filters:
        parts.append((" ".join(map(str, asked.filters)), "$primary"))
    elif facets.archived and not asked.query.text:
        parts.append((f"{facets.archived:,} archived", "$foreground 60%"))
    words = index_words(progress)
    if words:
        parts.insert(1, (words, "$accent"))
    content = Content("")
    room = max(0, width)
    for number, (text, style) in enumerate(parts):
        joint = "  ·  " if number else ""
        text = cells.cut(safe.line(text), room - len(joint))
        if not text:
            break
        content += Content.assemble((joint, "$foreground 40%"), (text, style))
        room -= len(joint) + cells.width_of(text)
    return content


def index_words(progress: Progress) -> str:
    """What the index does, where it is not done."""
    match progress.phase:
        case IndexPhase.LISTING:
            return "looking for sessions"
        case IndexPhase.READING:
            return f"reading {progress.done:,} of {progress.total:,}"
        case IndexPhase.WAITING:
            return progress.note or "the index waits for Codex"
        case IndexPhase.READY:
            return progress.note
