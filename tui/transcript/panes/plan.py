"""A proposed plan: Markdown in a box."""

from __future__ import annotations

from tui.transcript import markdown_rows
from tui.transcript.panes import Drawn, frames
from tui.transcript.reading import Planned
from tui.transcript.rows import Runs, Styler

MAX_CHARACTERS = 64_000


def draw(planned: Planned, width: int, styler: Styler, folded: bool | None) -> Drawn:
    state: Runs = ()
    if planned.live:
        state = (("◌ being written", ("accent",)),)
    elif planned.cut:
        state = (("‥ cut off", ("warning",)),)
    box = frames.Box(width, styler, (("≡ ", ("accent",)), ("Plan", ("title",))), state)
    source = markdown_rows.clean(planned.text).strip("\n")
    if source:
        markdown_rows.draw(source[:MAX_CHARACTERS], box.inside)
    else:
        box.inside.rule([("…" if planned.live else "(empty plan)", ("muted",))])
    hidden = len(source) - MAX_CHARACTERS
    box.close(right=((f"{hidden:,} more characters", ("muted",)),) if hidden > 0 else ())
    return box.canvas, None
