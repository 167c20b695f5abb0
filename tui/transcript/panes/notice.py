"""A notice: one sentence for the person, with a word for how grave it is."""

from __future__ import annotations

from tui.transcript import safe
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, frames
from tui.transcript.reading import Noted
from tui.transcript.rows import Run, Styler

_LEVELS = {
    "warning": ("!", "Warning: ", "warning"),
    "error": ("✗", "Error: ", "error"),
}


DECIDED = "decided"
"""The code of what a person or a rule decided."""


def draw(noted: Noted, width: int, styler: Styler, folded: bool | None) -> Drawn:
    glyph, word, look = _LEVELS.get(noted.level, ("·", "", "muted"))
    if noted.code == DECIDED:
        glyph, look = "?", "accent"
    canvas = Canvas(
        width, styler, frames.gutter(glyph, (look, "strong"), ("muted",) if look == "muted" else ())
    )
    first, *others = safe.unix_lines(noted.text).rstrip("\n").split("\n")
    runs: list[Run] = [(word, (look, "strong")), (first, ())]
    foldable = bool(noted.detail.strip())
    folded = foldable and folded is not False
    if foldable:
        runs.append((" ▸ details" if folded else " ▾ details", ("accent", frames.FOLD_TAP)))
    canvas.text(runs)
    for line in others:
        canvas.text([(line, ())])
    if foldable and not folded:
        for line in safe.unix_lines(noted.detail).rstrip("\n").split("\n")[:200]:
            canvas.text([(line, ("muted",))])
    return canvas, folded if foldable else None
