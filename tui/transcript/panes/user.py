"""A person's message: literal text on a raised ground, with how far it got while it is on its way."""

from __future__ import annotations

from tui.transcript import cells, safe
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, frames, pictured
from tui.transcript.pictures import picture_now
from tui.transcript.reading import Said
from tui.transcript.rows import Frame, Runs, Styler, width_of
from tui.transcript.showing import Show

FOLD_LINES = 40
SHOWN_LINES = 30
MAX_LINES = 5_000
LINE_LIMIT = 20_000

PICTURE_ROWS = 8
"""Of an attached picture while it is small."""

_SIDE: Runs = (("▌", ("user", "user-bar")), ("  ", ("user",)))
_IMAGE: Runs = (("▣ ", ("accent",)),)
FRAME = Frame(_SIDE, _SIDE, ((" ", ("user",)),), ("user",))

_STATES = {
    "accepted": "◌ waiting to be sent",
    "queued": "◌ queued: gets a turn of its own after this one",
    "sent": "→ sent",
    "seen": "✓ seen by Codex",
}


def draw(said: Said, width: int, styler: Styler, folded: bool | None, show: Show | None) -> Drawn:
    canvas = Canvas(width, styler, FRAME)
    lines = safe.unix_lines(said.text).rstrip("\n").split("\n")
    long = len(lines) > FOLD_LINES
    shown = lines[: SHOWN_LINES if long and folded is not False else MAX_LINES]
    for line in shown:
        canvas.text([(line, ())], limit=LINE_LIMIT)
    if long:
        canvas.rule(frames.fold_hint(len(lines) - len(shown), "lines", folded=folded is not False))
    ground = pictured.ground_of(styler, FRAME.fill)
    foldable = long
    for name, path in zip(said.attachments, said.images or said.attachments, strict=False):
        found = picture_now(path)
        picture = pictured.look_at(path, found, canvas.width, PICTURE_ROWS, ground, show, folded)
        _attached(name, picture, canvas)
        foldable = foldable or (picture is not None and picture.folded is not None)
    for source in said.sources:
        canvas.rule([("＋ ", ("accent",)), ("went along: ", ("muted",)), (source, ("path",))])
    if said.elsewhere:
        canvas.rule([("⇄ sent from another client", ("muted",))])
    if said.state:
        canvas.rule([(_STATES.get(said.state, said.state), ("muted",))])
    return canvas, folded is not False if foldable else None


def _attached(name: str, picture: pictured.Pictured | None, canvas: Canvas) -> None:
    """The name of an image and, below it, its picture. Of a long one the end is shown."""
    hint = (("  ", ()), *picture.hint) if picture is not None and picture.hint else ()
    shown = cells.tail(safe.line(name), canvas.width - width_of(_IMAGE) - width_of(hint))
    canvas.rule([*_IMAGE, (shown, ("path",)), *hint])
    if picture is not None:
        picture.draw(canvas)
