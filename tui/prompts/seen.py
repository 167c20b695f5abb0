"""How far something that is scrolled was seen. Pure."""

from __future__ import annotations


class Seen:
    """Rows count as seen from the top on without a gap: a jump to the end has not seen the middle."""

    def __init__(self) -> None:
        self._until = 0
        self._total = 0

    @property
    def until(self) -> int:
        """The first row that was not seen yet."""
        return self._until

    @property
    def whole(self) -> bool:
        return 0 < self._total <= self._until

    @property
    def missing(self) -> int:
        """How many rows were not seen yet."""
        return max(0, self._total - self._until)

    def lay_out(self, total: int, until: int) -> None:
        """There are `total` rows now, of which those before `until` were seen in an earlier layout."""
        self._total = total
        self._until = until

    def show(self, top: int, height: int) -> None:
        """The rows from `top` on, `height` of them, are on the screen."""
        if top <= self._until:
            self._until = max(self._until, min(top + height, self._total))
