"""How many rows each entry takes, with row ↔ entry in O(log n): a Fenwick tree over the heights."""

from __future__ import annotations

from array import array
from collections.abc import Iterable


class Heights:
    """A list of row counts whose sums are quick. Indices count from 0; heights are 0 or more."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = array("l", heights)
        self._tree: list[int] = [0]
        self._rebuild()

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    @property
    def total(self) -> int:
        """Rows of all entries."""
        return self.before(len(self._heights))

    def before(self, index: int) -> int:
        """Rows of the entries before `index`: the row where it begins."""
        rows = 0
        tree = self._tree
        while index:
            rows += tree[index]
            index &= index - 1
        return rows

    def find(self, row: int) -> tuple[int, int]:
        """The entry that holds `row`, and which of its rows that is.

        Past the end it is (len, rows past the end).
        """
        index = 0
        tree = self._tree
        size = len(tree)
        step = self._top_step
        while step:
            following = index + step
            if following < size and tree[following] <= row:
                row -= tree[following]
                index = following
            step >>= 1
        return index, row

    def set(self, index: int, height: int) -> int:
        """Give an entry a height; the difference to the one it had."""
        difference = height - self._heights[index]
        if difference:
            self._heights[index] = height
            tree = self._tree
            size = len(tree)
            index += 1
            while index < size:
                tree[index] += difference
                index += index & -index
        return difference

    def append(self, height: int) -> None:
        """Add an entry at the end."""
        self._heights.append(height)
        index = len(self._tree)
        covered = index & -index
        self._tree.append(self.before(index - 1) - self.before(index - covered) + height)
        self._top_step = _top_step(len(self._heights))

    def extend(self, count: int, height: int) -> None:
        """Add `count` entries of one height at the end."""
        if count < 64:
            for _ in range(count):
                self.append(height)
            return
        self._heights.extend(array("l", [height]) * count)
        self._rebuild()

    def prepend(self, count: int, height: int) -> None:
        """Add `count` entries of one height before the first."""
        self._heights = array("l", [height]) * count + self._heights
        self._rebuild()

    def truncate(self, count: int) -> None:
        """Keep the first `count` entries."""
        del self._heights[count:]
        del self._tree[count + 1 :]
        self._top_step = _top_step(count)

    def _rebuild(self) -> None:
        heights = self._heights
        count = len(heights)
        self._top_step = _top_step(count)
        if count and heights.count(heights[0]) == count:
            self._tree = _even_tree(count, heights[0])
            return
        tree = [0, *heights]
        for index in range(1, count + 1):
            parent = index + (index & -index)
            if parent <= count:
                tree[parent] += tree[index]
        self._tree = tree


def _even_tree(count: int, height: int) -> list[int]:
    """The tree of `count` equal heights: node i covers as many entries as its lowest set bit."""
    nodes: list[int] = []
    covered = 1
    while len(nodes) < count:
        nodes += [covered * height, *nodes]
        covered *= 2
    return [0, *nodes[:count]]


def _top_step(count: int) -> int:
    return 1 << (count.bit_length() - 1) if count else 0
