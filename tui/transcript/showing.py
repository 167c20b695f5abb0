"""Pictures for the panes: those that are ready are kept, those that are not are decoded one after the other."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from tui.transcript.halfblocks import PictureRow, Rgb

if TYPE_CHECKING:
    from textual.widget import Widget

    from tui.transcript.entries import Entry

MOST_CELLS = 24_000
"""Cells of all the pictures that are kept; each takes about half a kilobyte."""


COLOURFUL = ("truecolor", "256")
"""What Rich calls terminals with enough colours for a picture; in the second it is drawn in the nearest ones."""


class Wanted(NamedTuple):
    """A picture file as it was at a time (`changed_ns`), in at most so many columns and rows, on a ground."""

    path: str
    changed_ns: int
    columns: int
    rows: int
    ground: Rgb


Show = Callable[[Wanted], "tuple[PictureRow, ...] | None"]
"""Gives a picture's rows: () where there is no picture to be had, None where it is not ready yet."""


class Pictures:
    """Those of one view; what decodes them is a worker of the view's, and ends with it."""

    def __init__(self, view: Widget) -> None:
        self._view = view
        self._ready: OrderedDict[Wanted, tuple[PictureRow, ...]] = OrderedDict()
        self._cells = 0
        self._asked: dict[tuple[Entry, str], tuple[Wanted, Callable[[], None]]] = {}
        self._decoding = False

    def showing(self, entry: Entry, came: Callable[[], None]) -> Show:
        """For the drawing of an entry. After None was given, `came` is called once the picture is ready."""

        def show(wanted: Wanted) -> tuple[PictureRow, ...] | None:
            if not self._colourful:
                return ()
            found = self._ready.get(wanted)
            if found is None:
                self._asked[entry, wanted.path] = (wanted, came)
                self._begin()
            else:
                self._ready.move_to_end(wanted)
            return found

        return show

    @property
    def _colourful(self) -> bool:
        """Not where there is to be no colour, or where the colours are the terminal's own few."""
        app = self._view.app
        few = app.no_color or app.native_ansi_color
        return not few and app.console.color_system in COLOURFUL

    def _begin(self) -> None:
        if not self._decoding:
            self._decoding = True
            self._view.run_worker(self._decode(), group="pictures")

    async def _decode(self) -> None:
        """What was asked for last is what the reader looks at: it comes first."""
        try:
            while self._asked:
                _, (wanted, came) = self._asked.popitem()
                if wanted not in self._ready:
                    self._keep(wanted, await asyncio.to_thread(_rows, wanted))
                came()
        finally:
            self._decoding = False

    def _keep(self, wanted: Wanted, rows: tuple[PictureRow, ...]) -> None:
        self._ready[wanted] = rows
        self._cells += _cells(rows)
        while self._cells > MOST_CELLS and len(self._ready) > 1:
            _, dropped = self._ready.popitem(last=False)
            self._cells -= _cells(dropped)


def _rows(wanted: Wanted) -> tuple[PictureRow, ...]:
    from tui.transcript.raster import picture_rows

    return picture_rows(wanted.path, wanted.columns, wanted.rows, wanted.ground)


def _cells(rows: tuple[PictureRow, ...]) -> int:
    """At least one: a picture that cannot be had is remembered too, but not for ever."""
    return max(1, sum(len(row) for row in rows))
