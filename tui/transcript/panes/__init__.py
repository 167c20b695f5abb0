"""The panes: a file for each kind of entry, from its typed content to rows.

Each has `draw(content, width, styler, folded) -> (canvas, folded)`; those with pictures are given `show` too. The `folded` given is what the person
chose, None for nothing yet; the one returned is what is drawn, None where there is nothing to fold.
"""

from __future__ import annotations

from tui.transcript.canvas import Canvas

Drawn = tuple[Canvas, bool | None]
