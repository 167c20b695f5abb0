"""A proposed plan: Markdown in a box, with how many of its steps are done where it marks them."""

from __future__ import annotations

import re

from tui.transcript import markdown_rows
from tui.transcript.panes import Drawn, frames
from tui.transcript.reading import Planned
from tui.transcript.rows import Runs, Styler

MAX_CHARACTERS = 64_000

_STEP = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+\[(?P<mark>[ xX])\]\s", re.MULTILINE)


def draw(planned: Planned, width: int, styler: Styler, folded: bool | None) -> Drawn:
    state: Runs = ()
    if planned.live:
        state = (("◌ being written", ("accent",)),)
    elif planned.cut:
        state = (("‥ cut off", ("warning",)),)
    elif steps := _STEP.findall(planned.text[:MAX_CHARACTERS]):
        done = sum(mark != " " for mark in steps)
        state = ((f"{done} of {len(steps)}", ("success",) if done == len(steps) else ("muted",)),)
    box = frames.Box(width, styler, (("≡ ", ("accent",)), ("Plan", ("title",))), state)
    source = markdown_rows.clean(planned.text).strip("\n")
    if source:
        markdown_rows.draw(source[:MAX_CHARACTERS], box.inside)
    else:
        box.inside.rule([("…" if planned.live else "(empty plan)", ("muted",))])
    hidden = len(source) - MAX_CHARACTERS
    box.close(right=((f"{hidden:,} more characters", ("muted",)),) if hidden > 0 else ())
    return box.canvas, None
