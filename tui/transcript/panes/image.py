"""An image that the model looked at or made: where it is, and what it is if it can be read here."""

from __future__ import annotations

from functools import lru_cache

from core.agent.items import Image
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, frames, words
from tui.transcript.pictures import Picture, picture_at
from tui.transcript.rows import Run, Styler

FRAME = frames.gutter("▣", ("accent",))


def draw(image: Image, width: int, styler: Styler, folded: bool | None) -> Drawn:
    canvas = Canvas(width, styler, FRAME)
    name = "Made an image " if image.made else "Looked at an image "
    runs: list[Run] = [(name, ("title",)), (image.path or "(not saved)", ("path",))]
    canvas.text(runs, hang=2)
    found = _found(image.path)
    if found is not None:
        size = f"{found.width:,} × {found.height:,} pixels · {words.size(found.size)}"
        canvas.rule([(f"{found.kind} · {size}", ("muted",))])
    return canvas, None


@lru_cache(maxsize=256)
def _kept(path: str) -> Picture:
    found = picture_at(path)
    if found is None:
        raise FileNotFoundError(path)
    return found


def _found(path: str) -> Picture | None:
    """What was found once is kept; what was not there is looked for again."""
    try:
        return _kept(path)
    except FileNotFoundError:
        return None
