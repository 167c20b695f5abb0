"""The picture of an image file inside a pane: small until it is unfolded, never larger than its pixels."""

from __future__ import annotations

from typing import NamedTuple

from tui.transcript.canvas import Canvas
from tui.transcript.halfblocks import PictureRow, Rgb, fitted
from tui.transcript.panes import frames
from tui.transcript.pictures import Picture
from tui.transcript.rows import Look, Runs, Styler
from tui.transcript.showing import Show, Wanted

LARGE_ROWS = 40

_LARGER: Runs = (("▸ larger", ("accent", frames.FOLD_TAP)),)
_SMALLER: Runs = (("▾ smaller", ("accent", frames.FOLD_TAP)),)


class Pictured(NamedTuple):
    """`rows` None: not ready yet; until then there is as much room as it will take. `folded` as in `Drawn`."""

    rows: tuple[PictureRow, ...] | None
    height: int
    folded: bool | None

    @property
    def hint(self) -> Runs:
        """To click on; nothing where small and large are the same."""
        return () if self.folded is None else _LARGER if self.folded else _SMALLER

    def draw(self, canvas: Canvas) -> None:
        if self.rows is None:
            for _ in range(self.height):
                canvas.blank()
        for row in self.rows or ():
            canvas.cells(row)


def look_at(
    path: str,
    found: Picture | None,
    width: int,
    rows: int,
    ground: Rgb,
    show: Show | None,
    folded: bool | None,
) -> Pictured | None:
    """The picture in at most `width` columns, and `rows` rows while it is small. None: there is none to be had."""
    if found is None or show is None or not found.can_be_drawn:
        return None
    small, large = (_room(found, width, most) for most in (rows, LARGE_ROWS))
    columns, height = large if folded is False else small
    drawn = show(Wanted(path, found.changed_ns, columns, height, ground))
    if drawn == ():
        return None
    return Pictured(drawn, height, None if small == large else folded is not False)


def ground_of(styler: Styler, look: Look) -> Rgb:
    """The colour under a look."""
    color = styler(look).bgcolor
    if color is None or color.triplet is None:
        return 0, 0, 0
    return color.triplet.red, color.triplet.green, color.triplet.blue


def _room(found: Picture, width: int, rows: int) -> tuple[int, int]:
    columns, pixels = fitted(found.width, found.height, width, rows)
    return columns, (pixels + 1) // 2
