"""Finding in the view: searches a little at a time, marks what is found, and goes from hit to hit."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING

from textual.message import Message
from textual.timer import Timer

from tui.transcript.cursorview import CursorView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tui.transcript.changes import Changes
    from tui.transcript.entries import Entry
    from tui.transcript.finding import Finder, Hit
    from tui.transcript.rows import Row

_begin, _end = itemgetter(0), itemgetter(1)

SEARCH_SECONDS = 0.008
"""A tick of searching; then the screen has as long, and half as long again."""

PAUSE_SECONDS = 0.012


class FindingView(CursorView):
    """Adds `find` and what belongs to it."""

    class Found(Message, namespace="transcript_view"):
        """How far finding is. `number`: which hit is shown, 0 for none; `searched` from 0 to 1."""

        def __init__(self, number: int, count: int, searched: float) -> None:
            super().__init__()
            self.number = number
            self.count = count
            self.searched = searched

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._finder: Finder | None = None
        self._search_timer: Timer | None = None
        self._asked_before = 0
        self._arrived = False
        """Is the view where the finder is? It may find what is not in the flow yet."""
        self._opened: Entry | None = None

    @property
    def finding(self) -> bool:
        return self._finder is not None

    def find(self, needle: str) -> None:
        """Look for this text, from the current hit or from what is on the screen; "" for nothing."""
        current = self._finder.current if self._finder is not None else None
        self._forget_search()
        flow = self.flow
        if needle and flow is not None and len(flow):
            from tui.transcript.finding import Finder

            near = current.entry if current is not None else flow.entry(flow.find(self.first_row)[0])
            self._finder = Finder(flow.document, needle, near.order, self._shown)
            self._search()
        else:
            self.post_message(self.Found(0, 0, 1.0))
        self._mark_hits()

    def find_step(self, step: int) -> None:
        """Go to the next (1) or the previous (-1) hit."""
        if self._finder is not None and (hit := self._finder.step(step)) is not None:
            self._go_to_hit(hit)
            self._tell_found()

    def stop_finding(self) -> None:
        """Mark nothing any more. What was unfolded for the last hit stays so."""
        self._opened = None
        self._forget_search()
        self._mark_hits()

    def no_older(self) -> None:
        super().no_older()
        if self._finder is not None:
            self._finder.whole = True
            self._search_soon(0)

    def came(self, changes: Changes) -> None:
        super().came(changes)
        if self._finder is not None:
            self._finder.follow(changes)
            self._search_soon(0)

    def spans(self, entry: Entry, row: Row) -> Sequence[tuple[int, int, bool]]:
        """What is found in a row: characters of the row from and to, and whether it is the current hit."""
        finder, flow = self._finder, self.flow
        if finder is None or flow is None or row.line < 0:
            return ()
        lines = flow.rendered(flow.index(entry)).lines
        current = finder.current
        spans = finder.spans(entry, lines[row.line])
        shown = spans[bisect_right(spans, row.start, key=_end) :]
        shown = shown[: bisect_left(shown, row.start + row.length, key=_begin)]
        if not shown:
            return ()
        position = None
        if current is not None and current.entry is entry:
            position = finder.position(current, lines)
        found: list[tuple[int, int, bool]] = []
        for begin, end in shown:
            clipped = max(0, begin - row.start), min(row.length, end - row.start)
            found.append((*clipped, position == (row.line, begin)))
        return found

    def shown_lines(self, entry: Entry) -> Sequence[str]:
        """The logical lines of an entry, unfolded, at the width of the view."""
        raise NotImplementedError

    def _shown(self, entry: Entry) -> Sequence[str]:
        """As they are on the screen where that is all of them: what streams is drawn only once."""
        flow = self.flow
        if flow is not None and flow.holds(entry) and flow.is_drawn(index := flow.index(entry)):
            rendered = flow.rendered(index)
            if not rendered.folded:
                return rendered.lines
        return self.shown_lines(entry)

    def _search_soon(self, seconds: float) -> None:
        if self._search_timer is None:
            self._search_timer = self.set_timer(max(PAUSE_SECONDS, seconds), self._search)

    def _search(self) -> None:
        finder = self._finder
        self._search_timer = None
        if finder is None:
            return
        more = finder.search(SEARCH_SECONDS)
        fresh = finder.take_fresh()
        if finder.current is not None and not self._arrived:
            self._go_to_hit(finder.current)
        elif fresh and self.flow is not None and fresh & self.flow.shown(self.first_row, self.page):
            self._mark_hits()
        if more is not None:
            self._search_soon(more)
        elif finder.wants_older and self._asked_before != finder.document.first_box_id:
            self._asked_before = finder.document.first_box_id
            self.post_message(self.OlderWanted(finder.document))
        self._tell_found()

    def _tell_found(self) -> None:
        finder = self._finder
        if finder is not None:
            searched = 1.0 if finder.complete else min(0.99, finder.searched)
            self.post_message(self.Found(finder.number, finder.count, searched))

    def _go_to_hit(self, hit: Hit) -> None:
        """Bring a hit onto the screen, out of what is folded; what was unfolded for another one is folded again."""
        flow, finder = self.flow, self._finder
        if flow is None or finder is None or not flow.holds(hit.entry):
            return
        self._arrived = True
        if self._opened is not None and self._opened is not hit.entry and flow.holds(self._opened):
            if flow.rendered(flow.index(self._opened)).folded is False:
                self.toggle(self._opened)
            self._opened = None
        if flow.rendered(flow.index(hit.entry)).folded:
            self.toggle(hit.entry)
            self._opened = hit.entry
        self.cursor = hit.entry
        position = finder.position(hit, flow.rendered(flow.index(hit.entry)).lines)
        if position is not None:
            self.bring(hit.entry, *position)
        self._mark_hits()

    def _mark_hits(self) -> None:
        """Paint with other marks: only what is on the screen."""
        if self.painter is not None:
            self.painter.marks = self.spans if self._finder is not None else None
            self.painter.clear()
        self.refresh()

    def _forget_search(self) -> None:
        self._finder = None
        self._asked_before = 0
        self._arrived = False
        if self._search_timer is not None:
            self._search_timer.stop()
            self._search_timer = None
