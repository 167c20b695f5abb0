from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tui.transcript.heights import Heights

HEIGHT = st.integers(0, 40)


class HeightsAreAList(RuleBasedStateMachine):
    """Whatever is done to the tree, it tells what a plain list of heights tells."""

    def __init__(self) -> None:
        super().__init__()
        self.heights = Heights()
        self.model: list[int] = []

    @rule(height=HEIGHT)
    def append(self, height: int) -> None:
        self.heights.append(height)
        self.model.append(height)

    @rule(count=st.integers(0, 200), height=HEIGHT)
    def extend(self, count: int, height: int) -> None:
        self.heights.extend(count, height)
        self.model += [height] * count

    @rule(count=st.integers(0, 100), height=HEIGHT)
    def prepend(self, count: int, height: int) -> None:
        self.heights.prepend(count, height)
        self.model[:0] = [height] * count

    @rule(data=st.data(), height=HEIGHT)
    def set(self, data: st.DataObject, height: int) -> None:
        if self.model:
            index = data.draw(st.integers(0, len(self.model) - 1))
            assert self.heights.set(index, height) == height - self.model[index]
            self.model[index] = height

    @rule(data=st.data())
    def truncate(self, data: st.DataObject) -> None:
        count = data.draw(st.integers(0, len(self.model)))
        self.heights.truncate(count)
        del self.model[count:]

    @rule(data=st.data())
    def find(self, data: st.DataObject) -> None:
        row = data.draw(st.integers(0, sum(self.model) + 3))
        index, rest = 0, row
        while index < len(self.model) and rest >= self.model[index]:
            rest -= self.model[index]
            index += 1
        assert self.heights.find(row) == (index, rest)

    @invariant()
    def sums_agree(self) -> None:
        assert len(self.heights) == len(self.model)
        assert self.heights.total == sum(self.model)
        middle = len(self.model) // 2
        assert self.heights.before(middle) == sum(self.model[:middle])
        if self.model:
            assert self.heights[middle] == self.model[middle]


TestHeights = HeightsAreAList.TestCase


@given(st.lists(HEIGHT, max_size=300))
def test_a_tree_of_given_heights_is_the_one_made_by_appending(heights: list[int]) -> None:
    grown = Heights()
    for height in heights:
        grown.append(height)
    assert [grown.before(index) for index in range(len(heights) + 1)] == [
        Heights(heights).before(index) for index in range(len(heights) + 1)
    ]
