"""An image that the model looked at or made: where it is, what it is, and its picture if it can be read here."""

from __future__ import annotations

from core.agent.items import Image
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, frames, pictured, words
from tui.transcript.pictures import picture_now
from tui.transcript.rows import Run, Styler
from tui.transcript.showing import Show

FRAME = frames.gutter("▣", ("accent",))

ROWS = 13
"""Of a picture that was not enlarged: a third of a large screen."""


def draw(image: Image, width: int, styler: Styler, folded: bool | None, show: Show | None) -> Drawn:
    canvas = Canvas(width, styler, FRAME)
    name = "Made an image " if image.made else "Looked at an image "
    runs: list[Run] = [(name, ("title",)), (image.path or "(not saved)", ("path",))]
    canvas.text(runs, hang=2)
    found = picture_now(image.path)
    if found is None:
        return canvas, None
    ground = pictured.ground_of(styler, FRAME.fill)
    picture = pictured.look_at(image.path, found, canvas.width, ROWS, ground, show, folded)
    size = f"{found.width:,} × {found.height:,} pixels · {words.size(found.size)}"
    hint = (("  ", ()), *picture.hint) if picture is not None and picture.hint else ()
    canvas.rule([(f"{found.kind} · {size}", ("muted",)), *hint])
    if picture is None:
        return canvas, None
    picture.draw(canvas)
    return canvas, picture.folded
