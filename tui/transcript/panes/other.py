"""What this version does not know or cannot read: its name, and all that came, folded."""

from __future__ import annotations

from core.agent.items import OtherItem
from tui.transcript import safe
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, frames, values
from tui.transcript.reading import Unread
from tui.transcript.rows import Run, Styler

FRAME = frames.gutter("◌", ("muted",))
MAX_LINES = 400


def draw(item: OtherItem, width: int, styler: Styler, folded: bool | None) -> Drawn:
    return draw_unread(Unread(item.name, "", item.raw), width, styler, folded)


def draw_unread(unread: Unread, width: int, styler: Styler, folded: bool | None) -> Drawn:
    canvas = Canvas(width, styler, FRAME)
    folded = folded is not False
    foldable = bool(unread.raw)
    arrow = "" if not foldable else "▸ " if folded else "▾ "
    runs: list[Run] = [(arrow + unread.name, ("title", frames.FOLD_TAP) if foldable else ("title",))]
    runs.append(
        (" cannot be read: " + unread.why if unread.why else " (not known to this version)", ("muted",))
    )
    canvas.text(runs)
    for line in safe.unix_lines(unread.text).rstrip("\n").split("\n") if unread.text else ():
        canvas.text([(line, ())])
    if foldable and not folded:
        for line in safe.unix_lines(values.indented(unread.raw)).split("\n")[:MAX_LINES]:
            canvas.text([(line, ("code-name",))], hard=True)
    return canvas, folded if foldable else None
