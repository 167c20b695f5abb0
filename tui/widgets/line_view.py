"""A scrolling view of lines: they are drawn where they are seen, and their number costs the screen no layout."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.geometry import Region, Size, Spacing
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.style import Style as VisualStyle

from tui.transcript.scrollbar import CachedScrollBar

NO_GUTTER = Spacing()


class LineView(ScrollView):
    """What the lines are is the subclass's; it draws them in `render_line` with `strip_of`."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)
    """As Textual's, without laying out the whole screen: the place of this view does not depend on its lines."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._parsed: dict[str | VisualStyle, VisualStyle] = {}

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        if self._vertical_scrollbar is None:
            bar = CachedScrollBar(vertical=True, name="vertical", thickness=self.scrollbar_size_vertical)
            bar.display = False
            self._vertical_scrollbar = bar
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar

    def set_lines(self, count: int) -> None:
        """How many lines there are now."""
        size = Size(self.scrollable_content_region.width, count)
        if size != self.virtual_size:
            self.virtual_size = size
            self._scroll_update(size)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines themselves, where there is nothing around them that Textual would have to add."""
        if self.styles.gutter != NO_GUTTER:
            return super().render_lines(crop)
        strips = [self.render_line(y) for y in range(crop.y, crop.bottom)]
        filters, background = self.get_line_filters(), self.background_colors[1]
        for line_filter in filters:
            strips = [strip.apply_filter(line_filter, background) for strip in strips]
        if crop.x or crop.width < self.size.width:
            strips = [strip.crop(crop.x, crop.right) for strip in strips]
        return strips

    def strip_of(self, content: Content, width: int, ground: Style | None = None) -> Strip:
        """A line in exactly so many cells; `ground` is laid under all of it."""
        pieces = content.render(self.visual_style, end="", parse_style=self._style)
        strip = Strip([Segment(text, style.rich_style) for text, style in pieces])
        strip = strip.adjust_cell_length(width, self.visual_style.rich_style)
        return strip if ground is None else Strip(Segment.apply_style(strip, post_style=ground), width)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._parsed.clear()

    def _style(self, style: str | VisualStyle) -> VisualStyle:
        found = self._parsed.get(style)
        if found is None:
            found = self._parsed[style] = self._get_style(style)
        return found
