"""Why what is filled in is not sent yet."""

from __future__ import annotations

from textual.widget import Widget


class Incomplete(Exception):
    """What is filled in makes no answer yet; `field` is what to look at."""

    def __init__(self, what: str, field: Widget | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.field = field
