"""What is known of one session, where the words were found in it, and what was said in it last."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from core.sessions.model import Kind, SessionEntry, SessionItem, SessionMatch, SessionState
from tui.keymap import Keyed
from tui.sessions.rows import KINDS, name_of, pieces_content, size_words
from tui.sessions.text_view import TextView
from tui.transcript import safe
from tui.widgets.moments import to_the_minute
from tui.widgets.status_text import home_short

TEXT_SHOWN = 4_000
"""Characters of one text that are shown in the preview."""

LINES_SHOWN = 12
KEPT = 600
"""Texts whose lines are kept."""

ROOM = 14
"""Rows from which there is room for all that is known of a session."""

_BLANK = Content("")
_DIM = "$foreground 60%"
_STYLES = {Kind.USER: "bold $primary", Kind.ASSISTANT: "bold $success", Kind.COMMAND: "bold $accent"}


class Preview(Keyed, TextView, can_focus=True):
    """Shows one session; the person reads on in it with `v`."""

    PART = "sessions"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.resume", "Resume"),
        Binding("v,space,left", "screen.view", "Back to the list"),
        Binding("j", "scroll_down", "A row down", show=False),
        Binding("k", "scroll_up", "A row up", show=False),
    ]

    class EarlierWanted(Message):
        """The beginning of what is shown is reached."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self._home = str(Path.home())
        self._shown: tuple[SessionMatch | None, Sequence[SessionItem], bool] = (None, (), False)
        self._roomy = False
        self._kept: dict[int, tuple[SessionItem, bool, list[Content]]] = {}

    def on_resize(self) -> None:
        super().on_resize()
        if self._roomy != (self.size.height >= ROOM):
            match, items, whole = self._shown
            self.show(match, items, whole=whole)

    def show(self, match: SessionMatch | None, items: Sequence[SessionItem], *, whole: bool = False) -> None:
        """`whole`: it is being read, so its texts are shown whole."""
        self._shown = (match, items, whole)
        if match is None:
            self.set_text(())
            return
        self._roomy = self.size.height >= ROOM
        facts = facts_lines if whole or self._roomy else brief_lines
        parts = [facts(match.entry, self._home)]
        if any(hit.kind is not Kind.TITLE for hit in match.hits) and not whole:
            parts.append(hits_lines(match))
        parts += [self._item_lines(item, whole=whole) for item in items]
        if not items and not match.hits:
            parts.append([Content.styled(_nothing(match.entry), _DIM)])
        self.set_text([line for part in parts for line in (*part, _BLANK)][:-1])

    def _item_lines(self, item: SessionItem, *, whole: bool) -> list[Content]:
        """Kept as long as the session is shown: each key shows it with other hits."""
        kept = self._kept.get(id(item))
        if kept is None or kept[0] is not item or kept[1] is not whole:
            if len(self._kept) > KEPT:
                self._kept.clear()
            kept = self._kept[id(item)] = (item, whole, item_lines(item, whole=whole))
        return kept[2]

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if new_value == 0 and old_value > 0:
            self.post_message(self.EarlierWanted())


def facts_lines(entry: SessionEntry, home: str) -> list[Content]:
    """The session in a few lines."""
    lines: list[Content] = [Content.styled(name_of(entry, 300), "bold")]
    state = entry.state.value + (f", {entry.pending} waiting for you" if entry.pending else "")
    first = [state, "archived" if entry.archived else "", "pinned" if entry.pinned else ""]
    lines.append(_facts(*first, *(f"#{tag}" for tag in entry.tags)))
    lines.append(Content(safe.line(home_short(entry.folder, home), 300)))
    lines.append(_facts(entry.branch, entry.model, entry.provider, entry.source))
    changed, begun = to_the_minute(entry.updated_at_ms), to_the_minute(entry.created_at_ms)
    lines.append(_facts(f"changed {changed}" if changed else "", f"begun {begun}" if begun else ""))
    lines.append(
        _facts(
            _count(entry.turns, "turn"),
            _count(entry.items, "text"),
            size_words(entry.bytes) if entry.bytes else "",
            "changed files" if entry.has_changes else "",
            "forked" if entry.forked_from_id else "",
            "a sub-agent" if entry.parent_id else "",
        )
    )
    lines.append(Content.styled(safe.line(entry.thread_id or entry.conversation_id or "", 80), _DIM))
    if entry.why:
        lines.append(Content.styled(safe.line(entry.why), "$warning"))
    if entry.rollout and entry.state is SessionState.UNREADABLE:
        lines.append(Content.styled(safe.line(home_short(entry.rollout, home), 400), _DIM))
    return [line for line in lines if line.plain]


def brief_lines(entry: SessionEntry, home: str) -> list[Content]:
    """What matters most of it, on a line or two."""
    size = size_words(entry.bytes) if entry.bytes else ""
    turns = _count(entry.turns, "turn")
    facts = _facts(
        entry.state.value,
        entry.branch,
        entry.model,
        entry.source,
        turns,
        size,
        home_short(entry.folder, home),
    )
    return [facts, Content.styled(safe.line(entry.why), "$warning")] if entry.why else [facts]


def hits_lines(match: SessionMatch) -> list[Content]:
    return [
        Content.assemble((f"{KINDS[hit.kind]}  ", "bold $primary"), pieces_content(hit.pieces))
        for hit in match.hits
        if hit.kind is not Kind.TITLE
    ]


def item_lines(item: SessionItem, *, whole: bool) -> list[Content]:
    text = item.text if whole else _beginning(item.text)
    when = to_the_minute(item.at_ms)
    head = Content.assemble(
        (KINDS[item.kind], _STYLES.get(item.kind, "bold $foreground 60%")),
        (f"  {when}" if when else "", _DIM),
    )
    style = "" if item.kind in (Kind.USER, Kind.ASSISTANT, Kind.PLAN) else "$foreground 75%"
    lines = [head, *(Content.styled(line, style) for line in safe.block(text).split("\n"))]
    if item.cut:
        lines.append(Content.styled("… the middle of it is not in the index", _DIM))
    return lines


def _beginning(text: str) -> str:
    lines = text[:TEXT_SHOWN].split("\n")
    if len(lines) > LINES_SHOWN:
        return "\n".join([*lines[:LINES_SHOWN], f"… {text.count(chr(10)) + 1 - LINES_SHOWN:,} more lines"])
    return "\n".join(lines) + ("…" if len(text) > TEXT_SHOWN else "")


def _facts(*facts: str) -> Content:
    return Content.styled(safe.line(" · ".join(fact for fact in facts if fact), 300), _DIM)


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}" if number else ""


def _nothing(entry: SessionEntry) -> str:
    if entry.state is SessionState.UNREADABLE:
        return "Its text cannot be read."
    return "Nothing of it is read yet. Go on with it to see it."
