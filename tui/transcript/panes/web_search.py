"""A web search: what was looked for."""

from __future__ import annotations

from core.agent.items import WebSearch
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, frames
from tui.transcript.rows import Styler

FRAME = frames.gutter("⌕", ("accent",))


def draw(search: WebSearch, width: int, styler: Styler, folded: bool | None) -> Drawn:
    canvas = Canvas(width, styler, FRAME)
    canvas.text([("Searched the web ", ("title",)), (search.query or "(no query)", ("path",))], hang=2)
    return canvas, None
