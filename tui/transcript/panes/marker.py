"""Something that happened to the thread: a line across, and what came with it."""

from __future__ import annotations

from core.agent.items import Marker
from tui.transcript import markdown_rows
from tui.transcript.canvas import Canvas
from tui.transcript.entries import Output
from tui.transcript.panes import Drawn, frames, output
from tui.transcript.rows import Styler

_NAMES = {
    "compaction": "context compacted",
    "review_entered": "review began",
    "review_left": "review ended",
    "hook": "a hook said",
    "sub_agent": "sub-agent",
    "tool_output": "tool output",
    "sleep": "paused",
}
_PLAIN = ("hook", "tool_output")
"""Their text is what a program printed; of the others it is Markdown."""

FRAME = frames.gutter(" ")
ONE_LINE = 60
MAX_CHARACTERS = 32_000


def draw(marker: Marker, width: int, styler: Styler, folded: bool | None) -> Drawn:
    canvas = Canvas(width, styler, FRAME)
    name = _NAMES.get(marker.name, marker.name.replace("_", " "))
    text = marker.text.strip()
    if text and "\n" not in text and len(text) <= ONE_LINE:
        name, text = f"{name}: {text}", ""
    left = max(2, (canvas.width - len(name) - 2) // 2)
    line = ("─", ("rule",))
    canvas.edge(
        ((line[0] * left + " ", line[1]),), ((name, ("muted",)), (" ", ())), (), gap=line[0], gap_look=line[1]
    )
    if not text:
        return canvas, None
    folded = folded is True
    if folded:
        return canvas, folded
    if marker.name in _PLAIN:
        output.draw(Output(text), canvas, folded=False)
    else:
        markdown_rows.draw(markdown_rows.clean(text[:MAX_CHARACTERS]), canvas)
    return canvas, folded
