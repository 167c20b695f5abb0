"""Reasoning: one line with its headings, all of it when unfolded."""

from __future__ import annotations

import re

from tui.transcript import markdown_rows
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, frames
from tui.transcript.reading import Thought
from tui.transcript.rows import Run, Styler

MAX_CHARACTERS = 64_000

FRAME = frames.gutter("∴", ("muted",), ("reasoning",))

_HEADING = re.compile(r"\s*(?:\*\*(?P<bold>[^*\n]+)\*\*|#+ +(?P<title>[^\n]+)|(?P<line>[^\n]+))")


def draw(thought: Thought, width: int, styler: Styler, folded: bool | None) -> Drawn:
    canvas = Canvas(width, styler, FRAME)
    text = "\n\n".join(part for part in (*thought.summary, *thought.raw) if part.strip())
    foldable = bool(text)
    folded = folded is not False
    canvas.text(_title(thought, folded=folded, foldable=foldable)) if not folded else canvas.edge(
        (), _title(thought, folded=folded, foldable=foldable), ()
    )
    if foldable and not folded:
        canvas.text([])
        markdown_rows.draw(markdown_rows.clean(text[:MAX_CHARACTERS]), canvas)
        if len(text) > MAX_CHARACTERS:
            canvas.rule([(f"… {len(text) - MAX_CHARACTERS:,} more characters", ("muted",))])
    if thought.cut:
        canvas.rule([("‥ cut off here", ("warning",))])
    return canvas, folded if foldable else None


def _title(thought: Thought, *, folded: bool, foldable: bool) -> list[Run]:
    word = "Thinking" if thought.live else "Thought"
    arrow = "" if not foldable else "▸ " if folded else "▾ "
    headings = [heading for part in (thought.summary or thought.raw) if (heading := heading_of(part))]
    runs: list[Run] = [(arrow + word, ("strong", frames.FOLD_TAP) if foldable else ("strong",))]
    if headings and folded:
        shown = headings[-1:] if thought.live else headings
        runs.append((" · " + " · ".join(shown), ()))
    elif thought.live and not headings:
        runs.append(("…", ()))
    return runs


def heading_of(part: str) -> str:
    """The bold heading that a part begins with, or its first line."""
    match = _HEADING.match(part)
    return next(filter(None, match.groups()), "").strip() if match else ""
