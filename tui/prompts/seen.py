"""How far something that is scrolled was seen. Pure."""

from __future__ import annotations


class Seen:
    """Rows count as seen from the top on without a gap: a jump to the end has not seen the middle."""

    def __init__(self) -> None:
        self._until = 0
        self._total = 0
        self._width = 0

    @property
    def whole(self) -> bool:
        return 0 < self._total <= self._until

    @property
    def missing(self) -> int:
        """How many rows were not seen yet."""
        return max(0, self._total - self._until)

    def look(self, top: int, height: int, total: int, width: int) -> None:
        """Of `total` rows, laid out in `width` columns, those from `top` on, `height` of them, are on the screen.

        In another width rows are others: what was seen whole still is, and anything else is begun again. Rows that
        come in the same width were not seen.
        """
        if width != self._width:
            self._until = total if self.whole else 0
        self._total, self._width = total, width
        if top <= self._until:
            self._until = max(self._until, min(top + height, total))
