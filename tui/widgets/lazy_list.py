"""A list as long as one likes: rows are asked for as they come into view, and only those are painted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Generic, TypeVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.keymap import Keyed
from tui.transcript import cells

Item = TypeVar("Item")
Piece = tuple[str, str]
"""Harmless text, and the look that it has (a component class `lazy--LOOK`)."""

PAGE = 100


class LazyList(Keyed, ScrollView, Generic[Item], can_focus=True):
    """`fetch(offset, limit)` gives rows, `draw(item, width)` the pieces of one. Errors are `fetch`'s to tell:
    what it cannot give it gives as no rows.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "lazy--text",
        "lazy--muted",
        "lazy--good",
        "lazy--bad",
        "lazy--odd",
        "lazy--cursor",
    }
    PART = "rows"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "end(-1)", "First", show=False),
        Binding("end", "end(1)", "Last", show=False),
        Binding("enter", "choose", "Open", show=False),
    ]

    cursor: reactive[int] = reactive(0)

    class Moved(Message):
        """Another row is under the cursor, or its contents have come."""

    class Chosen(Message):
        """The person wants what is under the cursor."""

    def __init__(
        self,
        fetch: Callable[[int, int], Awaitable[Sequence[Item]]],
        draw: Callable[[Item, int], Sequence[Piece]],
        *,
        widget_id: str,
    ) -> None:
        super().__init__(id=widget_id)
        self._fetch = fetch
        self._draw = draw
        self._count = 0
        self._items: dict[int, Item] = {}
        self._wanted: set[int] = set()
        self._edition = 0

    @property
    def count(self) -> int:
        return self._count

    @property
    def current(self) -> Item | None:
        """What is under the cursor; None while it is not there yet, or for an empty list."""
        return self._items.get(self.cursor)

    def show(self, count: int, *, cursor: int = 0) -> None:
        """Other rows in their place, so many of them."""
        self._edition += 1
        self._items.clear()
        self._wanted.clear()
        self._count = count
        self.virtual_size = Size(0, count)
        self.cursor = min(cursor, max(count - 1, 0))
        self._keep_in_view()
        self._want(self.cursor)
        self.refresh()
        self.post_message(self.Moved())

    def move(self, step: int) -> None:
        """The cursor up or down by so many rows."""
        self.cursor = max(0, min(self._count - 1, self.cursor + step))

    def action_move(self, step: int) -> None:
        self.move(step)

    def action_page(self, step: int) -> None:
        self.move(step * max(1, self.scrollable_content_region.height - 1))

    def action_end(self, step: int) -> None:
        self.move(step * self._count)

    def action_choose(self) -> None:
        if self.current is not None:
            self.post_message(self.Chosen())

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self._count - 1))

    def watch_cursor(self) -> None:
        self._keep_in_view()
        self._want(self.cursor)
        self.refresh()
        self.post_message(self.Moved())

    def on_resize(self) -> None:
        self._keep_in_view()

    def on_click(self, event: events.Click) -> None:
        row = event.y + round(self.scroll_y)
        if row >= self._count:
            return
        if row == self.cursor and event.chain > 1:
            self.action_choose()
        self.cursor = row

    def render_line(self, y: int) -> Strip:
        row = y + round(self.scroll_y)
        width = self.size.width
        base = self.rich_style
        if row >= self._count:
            return Strip.blank(width, base)
        item = self._items.get(row)
        if item is None:
            self._want(row)
        pieces = self._draw(item, width - 2) if item is not None else (("…", "muted"),)
        under = row == self.cursor
        style = self.get_component_rich_style("lazy--cursor") if under else base
        segments = [Segment("› " if under else "  ", style)]
        for text, look in pieces:
            own = self.get_component_rich_style(f"lazy--{look}", partial=True)
            segments.append(Segment(text, style + own))
        return Strip(segments).adjust_cell_length(width, style)

    def _keep_in_view(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, immediate=True)

    def _want(self, row: int) -> None:
        page = row // PAGE
        if 0 <= row < self._count and page not in self._wanted:
            self._wanted.add(page)
            self.run_worker(self._load(page, self._edition), group=f"page-{page}")

    async def _load(self, page: int, edition: int) -> None:
        items = await self._fetch(page * PAGE, PAGE)
        if edition != self._edition:
            return
        self._items.update(enumerate(items, page * PAGE))
        self.refresh()
        if page == self.cursor // PAGE:
            self.post_message(self.Moved())


def fitted(text: str, width: int) -> str:
    """`text` in exactly `width` cells: cut, or filled up."""
    cut = cells.cut(text, width)
    return cut + " " * (width - cells.width_of(cut))
