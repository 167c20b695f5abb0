"""Looks become styles: component classes of the view, a program's own colours, and what a click does."""

from __future__ import annotations

from rich.color import Color as RichColor
from rich.style import Style
from textual.style import Style as VisualStyle
from textual.widget import Widget

from tui.transcript.rows import Look, Sgr, Tap

PREFIX = "transcript--"

NAMES = (
    "accent",
    "added",
    "added-number",
    "added-word",
    "border",
    "code",
    "code-attribute",
    "code-builtin",
    "code-comment",
    "code-error",
    "code-function",
    "code-keyword",
    "code-name",
    "code-number",
    "code-operator",
    "code-string",
    "command",
    "cursor",
    "emphasis",
    "error",
    "fence",
    "found",
    "found-current",
    "glyph",
    "heading",
    "heading-1",
    "hunk",
    "link",
    "muted",
    "output",
    "path",
    "quote",
    "reasoning",
    "removed",
    "removed-number",
    "removed-word",
    "rule",
    "strike",
    "strong",
    "success",
    "table-head",
    "title",
    "user",
    "user-bar",
    "warning",
)
"""Every component class that a look may name; `styles/transcript.tcss` gives each its colours."""

COMPONENT_CLASSES = frozenset(PREFIX + name for name in NAMES)

MAX_STYLES = 4_096


class Palette:
    """Rich styles for looks, as the view's stylesheet has them now."""

    def __init__(self, view: Widget) -> None:
        self._view = view
        self._styles: dict[Look, Style] = {}
        self._classes: dict[str, VisualStyle] = {}
        self._base = view.visual_style
        self._read()

    def __call__(self, look: Look) -> Style:
        style = self._styles.get(look)
        if style is None:
            if len(self._styles) >= MAX_STYLES:
                self._styles.clear()
            style = self._styles[look] = self._mixed(look)
        return style

    def refresh(self) -> bool:
        """Read the stylesheet again; whether any colour is another than before."""
        before = (self._base, self._classes)
        self._read()
        if (self._base, self._classes) == before:
            return False
        self._styles.clear()
        return True

    def _read(self) -> None:
        self._base = self._view.visual_style
        self._classes = {name: self._view.get_visual_style(PREFIX + name, partial=True) for name in NAMES}

    def _mixed(self, look: Look) -> Style:
        style = self._base
        over = Style.null()
        for part in look:
            if isinstance(part, str):
                style += self._classes[part]
            elif isinstance(part, Sgr):
                over += _program_style(part)
            else:
                over += _tap_style(part)
        return style.rich_style + over


def _program_style(chosen: Sgr) -> Style:
    return Style(
        color=_color(chosen.color),
        bgcolor=_color(chosen.background),
        bold=chosen.bold or None,
        dim=chosen.dim or None,
        italic=chosen.italic or None,
        underline=chosen.underline or None,
        strike=chosen.strike or None,
        reverse=chosen.reverse or None,
    )


def _color(number: int | None) -> RichColor | None:
    if number is None:
        return None
    if number < 256:
        return RichColor.from_ansi(number)
    rgb = number - 256
    return RichColor.from_rgb(rgb >> 16, rgb >> 8 & 0xFF, rgb & 0xFF)


def _tap_style(tap: Tap) -> Style:
    return Style(meta={tap.action: tap.value})
