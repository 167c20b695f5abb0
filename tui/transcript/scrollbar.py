"""A vertical scroll bar that is drawn once for each position.

Textual renders a bar's rows one by one through its styles cache; for a bar as high as the transcript that
costs more than the transcript itself.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.geometry import Region
from textual.scrollbar import ScrollBar
from textual.strip import Strip


class CachedScrollBar(ScrollBar):
    """The usual bar; its strips are kept until something it shows changes."""

    _shown: tuple[object, ...] = ()
    _strips: list[Strip] = []  # noqa: RUF012  (replaced, never changed)

    def render_lines(self, crop: Region) -> list[Strip]:
        state = self._state()
        if state != self._shown:
            self._strips = self._drawn()
            self._shown = state
        return self._strips[crop.y : crop.bottom]

    def _state(self) -> tuple[object, ...]:
        parent = self.parent
        return (
            self.size,
            self.position,
            self.window_size,
            self.window_virtual_size,
            self.mouse_over,
            self.grabbed is not None,
            self.app.theme,
            parent is not None and parent.pseudo_classes,
        )

    def _drawn(self) -> list[Strip]:
        width, height = self.size
        options = self.app.console.options.update(width=width, height=height)
        filters = self.get_line_filters()
        background = self.background_colors[1]
        painted: dict[Segment, Strip] = {}
        strips: list[Strip] = []
        for segment in self.app.console.render(self.render(), options):
            if segment.text == "\n" or len(strips) == height:
                continue
            strip = painted.get(segment)
            if strip is None:
                segments = [segment]
                for line_filter in filters:
                    segments = line_filter.apply(segments, background)
                strip = painted[segment] = Strip(segments, width)
            strips.append(strip)
        return strips + [Strip.blank(width)] * (height - len(strips))
