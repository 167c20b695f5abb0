"""What panes have around them: the gutter with its glyph, and the box with its title.

The first cell of every row is a segment of its own: the view draws its cursor over it.
"""

from __future__ import annotations

from tui.transcript.canvas import Canvas
from tui.transcript.rows import FOLD, Frame, Look, Runs, Styler, Tap, width_of

_CURSOR: Runs = ((" ", ()),)
_RIGHT: Runs = ((" ", ()),)
_BORDER: Look = ("border",)

_MORE: Runs = (("▸ show all", ("accent", Tap(FOLD))),)

_BOXED = Frame(_CURSOR, _CURSOR, _RIGHT)
_SIDE: Runs = (("│ ", _BORDER),)
_INSIDE = Frame(_SIDE, _SIDE, ((" │", _BORDER),))

FOLD_TAP = Tap(FOLD)

_EDGE = 11
"""Cells of a box's first row that are neither title nor state."""


def gutter(glyph: str, look: Look = ("glyph",), fill: Look = ()) -> Frame:
    """A glyph (one cell) left of the first row. `fill` is the look of the text."""
    return Frame((*_CURSOR, (glyph, look), (" ", ())), (*_CURSOR, ("  ", ())), _RIGHT, fill)


class Box:
    """A titled box: `title` left in its upper edge, `state` right; draw into `inside`, then `close` it."""

    def __init__(self, width: int, styler: Styler, title: Runs, state: Runs = ()) -> None:
        self.canvas = Canvas(width, styler, _BOXED)
        right: Runs = ((" ", ()), *state, (" ─╮", _BORDER)) if state else (("─╮", _BORDER),)
        self.canvas.edge((("╭─ ", _BORDER),), (*title, (" ", ())), right, gap="─", gap_look=_BORDER)
        self.inside = self.canvas.framed(_INSIDE)

    def divide(self) -> None:
        """A line between two parts."""
        self.canvas.rule([("├" + "─" * (self.canvas.width - 2) + "┤", _BORDER)])

    def close(self, left: Runs = (), right: Runs = ()) -> None:
        """The lower edge, with what is said in it."""
        begin: Runs = (("╰─ ", _BORDER), *left, (" ", ())) if left else (("╰", _BORDER),)
        end: Runs = ((" ", ()), *right, (" ─╯", _BORDER)) if right else (("╯", _BORDER),)
        self.canvas.edge(begin, (), end, gap="─", gap_look=_BORDER)


def title_room(width: int, state: Runs) -> int:
    """Cells that the title of a box so wide has beside this state."""
    return width - _EDGE - width_of(state)


def fold_hint(hidden: int, noun: str, *, folded: bool) -> Runs:
    """What is folded away, to click on; `noun` in the plural."""
    if folded:
        return ((f"▸ {hidden:,} more {noun}", ("accent", FOLD_TAP)),)
    return (("▾ show less", ("accent", FOLD_TAP)),)


def hint(hidden: int, noun: str, *, folded: bool) -> Runs:
    """The same where it may be that no whole line is folded away, but much of one."""
    return fold_hint(hidden, noun, folded=folded) if hidden or not folded else _MORE


def notes(texts: tuple[str, ...], canvas: Canvas) -> None:
    """What a tool said on its way."""
    for text in texts:
        for line in text.rstrip("\n").split("\n"):
            canvas.text([(line, ("muted",))], margin=(("· ", ("muted",)),), rest=(("  ", ()),))
