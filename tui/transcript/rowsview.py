"""A scroll view that paints the rows of a flow: measures before it paints, and keeps its place.

Rows that nobody has looked at are estimates. Before rows come into view they are made exact, and when
that moves what is on the screen, the scroll position moves with it: a page is a page in its first frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from tui.transcript import selection
from tui.transcript.flow import Flow
from tui.transcript.painting import Mark, Painter
from tui.transcript.scrollbar import CachedScrollBar

if TYPE_CHECKING:
    from textual.reactive import Reactive

STEP_PAGES = 3
"""A move within so many pages is measured row by row; a farther one is a jump."""

PREFETCH_SECONDS = 0.02
PREFETCH_PAGES = 1.5


@dataclass(slots=True)
class Hold:
    """Set `released` where nothing moved: then nothing is put back, nor painted."""

    released: bool = False


class RowsView(ScrollView):
    """Paints `flow`. Subclasses say what is in it."""

    PREFETCH: ClassVar[bool] = True
    """Draw entries ahead of the reader while nothing else happens. The scroll bar depends on how many
    entries were drawn: pictures that are compared are taken without."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.flow: Flow | None = None
        self.painter: Painter | None = None
        self._pinned = True
        self._prefetch_timer: Timer | None = None

    @property
    def at_end(self) -> bool:
        """Is the last row on the screen, and does the view follow what comes?"""
        return self._pinned

    @property
    def page(self) -> int:
        """Rows on the screen."""
        return self.scrollable_content_region.height

    @property
    def first_row(self) -> int:
        """The row at the top of the screen."""
        return round(self.scroll_y)

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        if self._vertical_scrollbar is None:
            bar = CachedScrollBar(vertical=True, name="vertical", thickness=self.scrollbar_size_vertical)
            bar.display = False
            self._vertical_scrollbar = bar
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar

    @property
    def marked(self) -> Mark | None:
        """What to mark as the cursor's; for subclasses."""
        return None

    def scrolled(self) -> None:
        """The place or the end moved; for subclasses."""

    def clear(self) -> None:
        """Show nothing."""
        self.flow = None
        self._pinned = True
        self._set_quietly(Widget.virtual_size, Size(0, 0))
        if self.is_mounted:
            self.vertical_scrollbar.window_virtual_size = 0
            self._set_scroll(0)
        self.refresh()

    def scroll_rows(self, rows: int) -> None:
        """Move by exactly so many rows, up where negative."""
        flow = self.flow
        if flow is None or rows == 0:
            return
        top = self.first_row
        if rows < 0:
            top += flow.measure_above(top, -rows)
        else:
            flow.measure(top, self.page + rows)
        self.place(top + rows)
        self._prefetch_soon(-1 if rows < 0 else 1)

    def place(self, row: int, *, pin: bool | None = None) -> None:
        """Put `row` at the top, as far as there is enough below it.

        The view follows the end from now on if that is on the screen, or as `pin` says.
        """
        flow = self.flow
        if flow is None:
            return
        flow.measure(row, self.page)
        if row + self.page >= flow.height:
            flow.measure_end(self.page)
        self._set_extent(flow)
        self._set_scroll(row)
        self._pinned = self.scroll_y >= self.max_scroll_y if pin is None else pin
        self.refresh()
        self.scrolled()

    def show_end(self) -> None:
        """Go to the end and stay there."""
        if self.flow is not None:
            self.place(self.flow.height, pin=True)

    @contextmanager
    def held(self) -> Iterator[Hold]:
        """Whatever is done to the flow inside: at the end stay there, elsewhere keep what is at the top."""
        flow = self.flow
        anchor = None if flow is None or self._pinned else flow.anchor(self.first_row)
        hold = Hold()
        yield hold
        if flow is None or hold.released:
            return
        row = None if anchor is None else flow.row_of(anchor)
        if self._pinned:
            self.show_end()
        else:
            self.place(self.first_row if row is None else row, pin=False)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Somebody else set the position: the scroll bar, or a selection dragged past an edge."""
        old, new = round(old_value), round(new_value)
        if self.flow is None or old == new:
            super().watch_scroll_y(old_value, new_value)
            return
        if abs(new - old) <= STEP_PAGES * self.page:
            self._set_scroll(old)
            self.scroll_rows(new - old)
        elif new >= self.max_scroll_y:
            self.show_end()
        else:
            self.place(new)
            self._prefetch_soon(-1 if new < old else 1)
        selection.follow_pointer(self)

    def action_scroll_up(self) -> None:
        self.scroll_rows(-1)

    def action_scroll_down(self) -> None:
        self.scroll_rows(1)

    def action_page_up(self) -> None:
        self.scroll_rows(1 - self.page)

    def action_page_down(self) -> None:
        self.scroll_rows(self.page - 1)

    def action_scroll_home(self) -> None:
        self.place(0)

    def action_scroll_end(self) -> None:
        self.show_end()

    def _on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, 1)

    def _on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, direction: int) -> None:
        event.prevent_default()
        event.stop()
        self.scroll_rows(direction * max(1, round(self.app.scroll_sensitivity_y)))

    def render_lines(self, crop: Region) -> list[Strip]:
        width = self.size.width
        rows = self.flow.window(self.first_row + crop.y, crop.height) if self.flow is not None else []
        strips = self.painter.paint(rows, width, self.marked) if self.painter is not None else []
        if len(strips) < crop.height:
            strips += [self._blank(width)] * (crop.height - len(strips))
        if crop.x or crop.width < width:
            strips = [strip.crop(crop.x, crop.right) for strip in strips]
        return strips

    def _blank(self, width: int) -> Strip:
        """A row below the last one: as the app's filters have it, without colour where there is to be none."""
        blank = Strip.blank(width, self.visual_style.rich_style)
        for line_filter in self.get_line_filters():
            blank = blank.apply_filter(line_filter, self.background_colors[1])
        return blank

    def render_line(self, y: int) -> Strip:
        """A line with selection offsets: only hit tests ask for single lines."""
        flow = self.flow
        if flow is None or not len(flow) or self.first_row + y >= flow.height:
            return Strip.blank(self.size.width, self.visual_style.rich_style)
        index, number = flow.find(self.first_row + y)
        rows = flow.rendered(index).rows
        return selection.hit_strip(flow.entry(index), rows, min(number, len(rows) - 1), self.size.width)

    def refresh_rows(self, first: int, count: int) -> None:
        """Paint these rows of the flow again, as far as they are on the screen."""
        begin = max(0, first - self.first_row)
        end = min(self.page, first + count - self.first_row)
        if begin < end:
            self.refresh(Region(0, begin, self.size.width, end - begin))

    def _scroll_update(self, virtual_size: Size) -> None:
        """Textual would clamp the position here, before the rows are laid out at the new size."""
        self._refresh_scrollbars()

    def _set_extent(self, flow: Flow) -> None:
        """Tell Textual the height without a layout: setting `virtual_size` would reflow the screen."""
        size = Size(flow.width, flow.height)
        if size != self.virtual_size:
            self._set_quietly(Widget.virtual_size, size)
        bar = self.vertical_scrollbar
        bar.window_virtual_size = size.height
        bar.window_size = self.page

    def _set_scroll(self, row: float) -> None:
        row = min(max(0, row), self.max_scroll_y)
        self._set_quietly(Widget.scroll_y, row)
        self._set_quietly(Widget.scroll_target_y, row)
        self.vertical_scrollbar.position = row

    def _set_quietly(self, reactive: object, value: object) -> None:
        """Set a reactive with no watcher, no layout and no repaint."""
        self.set_reactive(cast("Reactive[object]", reactive), value)

    def _prefetch_soon(self, direction: int) -> None:
        if self.PREFETCH and self._prefetch_timer is None:
            self._prefetch_timer = self.set_timer(PREFETCH_SECONDS, lambda: self._prefetch(direction))

    def _prefetch(self, direction: int) -> None:
        """Draw the next entry that the reader will come to, one at a time."""
        self._prefetch_timer = None
        flow = self.flow
        if flow is None or not len(flow):
            return
        index = self._undrawn(flow, direction)
        if index is None:
            return
        before = flow.height
        flow.rendered(index)
        if grown := flow.height - before:
            # The rows on the screen stay the same, so nothing is painted; the scroll bar follows at the next move.
            self._set_quietly(Widget.virtual_size, Size(flow.width, flow.height))
            if direction < 0:
                self._set_quietly(Widget.scroll_y, self.scroll_y + grown)
                self._set_quietly(Widget.scroll_target_y, self.scroll_y)
        self._prefetch_soon(direction)

    def _undrawn(self, flow: Flow, direction: int) -> int | None:
        """The nearest entry in that direction that is not drawn; None within the distance looked ahead."""
        top = self.first_row
        index, _ = flow.find(top if direction < 0 else top + self.page)
        index += min(direction, 0)
        ahead = int(self.page * PREFETCH_PAGES)
        while ahead > 0 and 0 <= index < len(flow):
            if not flow.is_drawn(index):
                return index
            ahead -= flow.height_of(index)
            index += direction
        return None
