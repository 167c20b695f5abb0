"""A person's message: literal text on a raised ground, with how far it got while it is on its way."""

from __future__ import annotations

from tui.transcript import safe
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, frames
from tui.transcript.reading import Said
from tui.transcript.rows import Frame, Runs, Styler

FOLD_LINES = 40
SHOWN_LINES = 30
MAX_LINES = 5_000
LINE_LIMIT = 20_000

_SIDE: Runs = (("▌", ("user", "user-bar")), ("  ", ("user",)))
FRAME = Frame(_SIDE, _SIDE, ((" ", ("user",)),), ("user",))

_STATES = {
    "accepted": "◌ waiting to be sent",
    "queued": "◌ queued: goes out when this turn is over",
    "sent": "→ sent",
    "seen": "✓ seen by Codex",
}


def draw(said: Said, width: int, styler: Styler, folded: bool | None) -> Drawn:
    canvas = Canvas(width, styler, FRAME)
    lines = safe.unix_lines(said.text).rstrip("\n").split("\n")
    foldable = len(lines) > FOLD_LINES
    folded = foldable and folded is not False
    shown = lines[: SHOWN_LINES if folded else MAX_LINES]
    for line in shown:
        canvas.text([(line, ())], limit=LINE_LIMIT)
    if foldable:
        canvas.rule(frames.fold_hint(len(lines) - len(shown), "lines", folded=folded))
    for name in said.attachments:
        canvas.rule([("▣ ", ("accent",)), (name, ("path",))])
    for source in said.sources:
        canvas.rule([("＋ ", ("accent",)), ("went along: ", ("muted",)), (source, ("path",))])
    if said.elsewhere:
        canvas.rule([("⇄ sent from another client", ("muted",))])
    if said.state:
        canvas.rule([(_STATES.get(said.state, said.state), ("muted",))])
    return canvas, folded if foldable else None
