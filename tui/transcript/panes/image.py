"""An image that the model looked at or made: where it is."""

from __future__ import annotations

from core.agent.items import Image
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, frames
from tui.transcript.rows import Styler

FRAME = frames.gutter("▣", ("accent",))


def draw(image: Image, width: int, styler: Styler, folded: bool | None) -> Drawn:
    canvas = Canvas(width, styler, FRAME)
    name = "Made an image " if image.made else "Looked at an image "
    canvas.text([(name, ("title",)), (image.path, ("path",))], hang=2)
    return canvas, None
