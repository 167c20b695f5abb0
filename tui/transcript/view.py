"""The transcript: documents on the screen, one at a time, each where it was left.

`show` puts a document on the screen; after it was changed, `document_changed` has the change drawn, at
once or when the cost of the last one allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.message import Message
from textual.timer import Timer

from tui.transcript import palette, selection
from tui.transcript.blockview import BlockView
from tui.transcript.flow import Anchor, Flow
from tui.transcript.painting import Painter
from tui.transcript.showing import Pictures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tui.transcript.blocks import Parts
    from tui.transcript.document import Document
    from tui.transcript.drawing import Drawer
    from tui.transcript.entries import Entry
    from tui.transcript.rows import Rendered

MIN_PERIOD = 1 / 30
"""Seconds between two updates, at least."""

MAX_PERIOD = 0.5
COST_FACTOR = 4
"""An update is followed by a pause of so many times its cost: drawing takes at most a fifth of the time."""

NEAR_TOP_PAGES = 3
KEPT_HIDDEN = 24
"""Drawn entries that are kept of a document that is not shown."""


@dataclass(slots=True)
class _Place:
    """Where a document was left. `anchor` None: at its end. `seen`: entries when the end was last shown."""

    flow: Flow
    styles: int
    seen: int
    anchor: Anchor | None = None
    cursor: Entry | None = None


class TranscriptView(BlockView):
    """Shows one document at a time."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(palette.COMPONENT_CLASSES)

    DEFAULT_CSS = """
    TranscriptView { height: 1fr; overflow-x: hidden; overflow-y: scroll; }
    """

    class AtEndChanged(Message):
        """The end came into view or left it, or more came while it was out of view (`new` entries)."""

        def __init__(self, at_end: bool, new: int) -> None:
            super().__init__()
            self.at_end = at_end
            self.new = new

    class NearTop(Message):
        """The reader comes near the oldest entry: time to prepend the page before it."""

        def __init__(self, document: Document) -> None:
            super().__init__()
            self.document = document

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._document: Document | None = None
        self._drawer: Drawer | None = None
        self._palette: palette.Palette | None = None
        self._pictures = Pictures(self)
        self._styles = 0
        self._restyles = False
        self._seen = 0
        self._told = (True, 0)
        self._near_top_told = False
        self._flush_timer: Timer | None = None
        self._next_flush = 0.0
        self._wanted_box: int | None = None

    @property
    def document(self) -> Document | None:
        """What is shown."""
        return self._document

    @property
    def new_count(self) -> int:
        """Entries that came since the end was last on the screen."""
        return 0 if self._document is None else max(0, len(self._document) - self._seen)

    def show(self, document: Document | None) -> None:
        """Put a document on the screen, where it was left; at its end the first time."""
        if document is self._document:
            self.document_changed()
            return
        self._leave()
        self.stop_finding()
        self._document = document
        self.flow = None
        self.cursor = None
        if document is not None and self._width > 0:
            self._enter(document, self._width)
        else:
            self.clear()

    def document_changed(self) -> None:
        """The shown document was changed. For one that is not shown, nothing need be told."""
        if self.flow is None or self._flush_timer is not None:
            return
        wait = self._next_flush - perf_counter()
        if wait > 0:
            self._flush_timer = self.set_timer(wait, self._flush)
        else:
            self._flush()

    def toggle(self, entry: Entry | None = None) -> None:
        self._flush()
        super().toggle(entry)

    def show_box(self, box_id: int) -> None:
        """Go to the entry that shows a box, as soon as there is a size to show it at."""
        self._flush()
        if self.flow is None:
            self._wanted_box = box_id
            return
        self._wanted_box = None
        entry = self.flow.document.entry_of_box(box_id)
        if entry is not None:
            self.cursor = entry
            self.bring(entry, 0)

    def restyle(self) -> None:
        """Draw everything anew if the stylesheet gives other colours than before."""
        self._restyles = False
        if self._palette is None or self.painter is None:
            return
        self.painter.clear()
        if not self._palette.refresh():
            return
        self._styles += 1
        if self._drawer is not None:
            self._drawer.forget()
        if self.flow is not None:
            self._flush()
            with self.held():
                self.flow.resize(self.flow.width)

    def parts_of(self, entry: Entry) -> Parts:
        if self.flow is None or self._palette is None or not self.flow.holds(entry):
            return ()
        from tui.transcript.blocks import parts_of

        rendered = self.flow.rendered(self.flow.index(entry))
        return parts_of(entry, rendered, self.flow.width, self._palette)

    def shown_lines(self, entry: Entry) -> Sequence[str]:
        return self._drawer.unfolded(entry, self.flow.width).lines if self._drawer and self.flow else ()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        # Textual says so before it has the component classes' new styles.
        if self._palette is not None and not self._restyles:
            self._restyles = True
            self.call_next(self.restyle)

    def scrolled(self) -> None:
        document = self._document
        if document is None:
            return
        if self.at_end:
            self._seen = len(document)
        told = (self.at_end, self.new_count)
        if told != self._told:
            self._told = told
            self.post_message(self.AtEndChanged(*told))
        near = self.first_row < NEAR_TOP_PAGES * self.page
        if near and not self._near_top_told:
            self.post_message(self.NearTop(document))
        self._near_top_told = near

    def on_resize(self, event: events.Resize) -> None:
        width = self._width
        if width <= 0 or self._document is None:
            return
        if self.flow is None:
            self._enter(self._document, width)
            return
        self._flush()
        with self.held():
            if width != self.flow.width:
                self.flow.resize(width)

    @property
    def _width(self) -> int:
        return self.scrollable_content_region.width

    def _leave(self) -> None:
        """Remember where the document on the screen is left."""
        if self._flush_timer is not None:
            self._flush_timer.stop()
            self._flush_timer = None
        if self.flow is None or self._document is None:
            return
        anchor = None if self.at_end else self.flow.anchor(self.first_row)
        self.flow.trim(KEPT_HIDDEN)
        self._document.place = _Place(self.flow, self._styles, self._seen, anchor, self._cursor)
        self.screen.clear_selection()

    def _enter(self, document: Document, width: int) -> None:
        """Show a document where it was left."""
        place = document.place if isinstance(document.place, _Place) else None
        if place is None:
            place = _Place(Flow(document, self._draw, width), self._styles, len(document))
        else:
            changes = document.take_changes()
            place.seen += changes.prepended
            if place.flow.width != width or place.styles != self._styles:
                place.flow.resize(width)
            else:
                place.flow.apply(changes)
        self.flow = place.flow
        self._seen = place.seen
        self._cursor, self._part = place.cursor, None
        self._near_top_told = False
        row = None if place.anchor is None else self.flow.row_of(place.anchor)
        if row is None:
            self.show_end()
        else:
            self.place(row, pin=False)
        if self._wanted_box is not None:
            self.show_box(self._wanted_box)

    def _draw(self, entry: Entry, width: int) -> Rendered:
        """Made at the first entry: the panes and their parsers are not needed for an empty screen."""
        if self._drawer is None:
            from tui.transcript.drawing import Drawer

            self._palette = palette.Palette(self)
            self._drawer = Drawer(self._palette)
            self.painter = Painter(self, self._palette)
        came = partial(self._picture_came, self._document, entry)
        return self._drawer.draw(entry, width, self._pictures.showing(entry, came))

    def _picture_came(self, document: Document | None, entry: Entry) -> None:
        if document is not None:
            document.redraw(entry)
        if document is self._document:
            self.document_changed()

    def _flush(self) -> None:
        """Draw what changed since the last time."""
        if self._flush_timer is not None:
            self._flush_timer.stop()
            self._flush_timer = None
        document, flow = self._document, self.flow
        if document is None or flow is None:
            return
        changes = document.take_changes()
        if not changes:
            return
        begin = perf_counter()
        self._seen += changes.prepended
        if changes.prepended:
            self._near_top_told = False
        if changes.moved:
            selection.follow_orders(self, {old: entry.order for entry, old in changes.moved.items()})
        with self.held() as hold:
            before = flow.height
            flow.apply(changes)
            if changes.in_place and flow.height == before:
                hold.released = True
                self._repaint(flow, *changes.redrawn)
        self.came(changes)
        cost = perf_counter() - begin
        self._next_flush = begin + max(MIN_PERIOD, min(MAX_PERIOD, cost * (COST_FACTOR + 1)))

    def _repaint(self, flow: Flow, entry: Entry) -> None:
        """Paint an entry again whose height stayed, from its first row that is another."""
        index = flow.index(entry)
        if flow.is_drawn(index):
            rendered = flow.rendered(index)
            self.refresh_rows(flow.top(index) + rendered.stable, len(rendered.rows) - rendered.stable)
