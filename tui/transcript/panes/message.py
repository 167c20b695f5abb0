"""The model's message: Markdown, drawn as it streams."""

from __future__ import annotations

from tui.transcript import markdown_rows
from tui.transcript.canvas import Canvas
from tui.transcript.live import LiveMarkdown
from tui.transcript.panes import Drawn, frames
from tui.transcript.reading import Written
from tui.transcript.rows import Rendered, Styler

FOLD_CHARACTERS = 64_000
"""A longer message shows its beginning until it is unfolded, and never more than `MAX_CHARACTERS`."""

MAX_CHARACTERS = 256_000

FRAME = frames.gutter("●")


def draw(written: Written, width: int, styler: Styler, folded: bool | None) -> Drawn:
    text = source(written)
    can_fold = foldable(written)
    folded = can_fold and folded is not False
    hidden = len(text) - (FOLD_CHARACTERS if folded else MAX_CHARACTERS)
    canvas = Canvas(width, styler, FRAME)
    markdown_rows.draw(_shown(text, folded=folded), canvas)
    _end(canvas, written)
    if can_fold:
        canvas.rule(frames.fold_hint(hidden, "characters", folded=folded))
    return canvas, folded if can_fold else None


def draw_live(written: Written, live: LiveMarkdown) -> Rendered:
    """The message as far as it has come: row for row what `draw` makes of it in the end."""
    drawn = live.draw(source(written))
    if written.cut or not drawn.rows:
        canvas = Canvas(live.width, live.styler, FRAME._replace(first=FRAME.rest) if drawn.rows else FRAME)
        _end(canvas, written, empty=not drawn.rows)
        drawn.rows += canvas.rows
    return drawn


def continues(written: Written, live: LiveMarkdown) -> bool:
    """Is the message what `live` has drawn, or more of it?"""
    return live.continues(source(written))


def live(width: int, styler: Styler) -> LiveMarkdown:
    """What `draw_live` draws with, for one entry at one width."""
    return LiveMarkdown(width, styler, FRAME)


def parts(
    written: Written, width: int, styler: Styler, *, folded: bool
) -> tuple[list[markdown_rows.Part], list[str]]:
    """The top-level blocks of a message as `draw` draws it, and its logical lines."""
    canvas = Canvas(width, styler, FRAME)
    found = markdown_rows.draw(_shown(source(written), folded=folded), canvas)
    return found, canvas.lines


def foldable(written: Written) -> bool:
    """Is the message so long that it is folded?"""
    return len(source(written)) > FOLD_CHARACTERS


def source(written: Written) -> str:
    """The Markdown that is drawn: with LF line ends."""
    return markdown_rows.clean(written.text).lstrip("\n")


def _shown(text: str, *, folded: bool) -> str:
    limit = FOLD_CHARACTERS if folded else MAX_CHARACTERS
    return text if len(text) <= limit else text[: text.rfind("\n", 0, limit) + 1 or limit]


def _end(canvas: Canvas, written: Written, *, empty: bool = False) -> None:
    if written.cut:
        canvas.rule([("‥ cut off here", ("warning",))])
    elif empty or canvas.fresh:
        canvas.rule([("…" if written.live else "(empty message)", ("muted",))])
