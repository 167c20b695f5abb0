"""A list to pick one or several of. Nothing is picked to begin with unless it is given so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from core.agent.requests import Option as Alternative
from tui.prompts.body import Body
from tui.prompts.going import go_on
from tui.prompts.lines import field_text

NUMBERS = "123456789"
"""The keys of the first alternatives."""


class Picker(OptionList):
    """Space, the number of an alternative, or a click picks it; picking again takes it back. Enter goes on to the next
    field; where one can be picked it picks the marked one first. It takes nothing back.

    The arrows go on beyond its ends, to what stands before and after it.
    """

    class Picked(Message):
        """Something was picked, or taken back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "select", "Pick"),
        Binding("enter", "take", "Go on"),
    ]

    def __init__(
        self, alternatives: Sequence[Alternative], *, several: bool = False, picked: Iterable[int] = ()
    ) -> None:
        self._alternatives = tuple(alternatives)
        self._several = several
        self._picked = set(picked)
        super().__init__(
            *(Option(self._line(index)) for index in range(len(self._alternatives))), compact=True
        )

    def on_mount(self) -> None:
        """What is picked is marked: going on with Enter leaves it as it is."""
        if self._picked and not self._several:
            self.highlighted = min(self._picked)

    @property
    def picked(self) -> tuple[int, ...]:
        """Which are picked, by their place."""
        return tuple(sorted(self._picked))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.pick(event.option_index)

    def on_key(self, event: events.Key) -> None:
        if event.character and event.character in NUMBERS:
            index = NUMBERS.index(event.character)
            if index < len(self._alternatives):
                event.stop()
                self.highlighted = index
                self.pick(index)

    def pick(self, index: int) -> None:
        """Pick one, or take it back."""
        if index in self._picked:
            self._picked.discard(index)
        elif self._several:
            self._picked.add(index)
        else:
            self._picked = {index}
        for place in range(len(self._alternatives)):
            self.replace_option_prompt_at_index(place, self._line(place))
        self.post_message(self.Picked())

    def hold(self, picked: Iterable[int]) -> None:
        """Have just these picked."""
        self._picked = {index for index in picked if index < len(self._alternatives)}
        for place in range(len(self._alternatives)):
            self.replace_option_prompt_at_index(place, self._line(place))

    def action_take(self) -> None:
        """On to the next field, with the marked one picked where it is one of several to choose from."""
        if not self._several and self.highlighted is not None and self.highlighted not in self._picked:
            self.pick(self.highlighted)
        go_on(self)

    def action_cursor_down(self) -> None:
        if self.highlighted == len(self._alternatives) - 1:
            go_on(self)
        else:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        if not self.highlighted:
            go_on(self, -1)
        else:
            super().action_cursor_up()

    def action_page_down(self) -> None:
        """Of the body: a list is short, and what is around it is to be seen too."""
        if body := self._body():
            body.action_page_down()

    def action_page_up(self) -> None:
        if body := self._body():
            body.action_page_up()

    def scroll_to_highlight(self, top: bool = False) -> None:
        """It does not scroll by itself: the body that it is in does."""
        super().scroll_to_highlight(top)
        body = self._body()
        if body is None or self.highlighted is None or not self.has_focus:
            return
        # Where an option begins when some take several rows, only the list itself knows.
        row = self.region.y - body.region.y + round(body.scroll_y) + self._index_to_line[self.highlighted]
        body.scroll_to_region(Region(0, row, 1, 1), animate=False, force=True)

    def _body(self) -> Body | None:
        return next((one for one in self.ancestors if isinstance(one, Body)), None)

    def _line(self, index: int) -> Content:
        alternative = self._alternatives[index]
        on, off = ("[x]", "[ ]") if self._several else ("(•)", "( )")
        mark = on if index in self._picked else off
        number = f"{NUMBERS[index]} " if index < len(NUMBERS) else ""
        line = Content.assemble(f"{mark} ", (number, "$foreground 60%"), field_text(alternative.label))
        if alternative.description:
            line = line + Content.styled(f"  {field_text(alternative.description)}", "$foreground 60%")
        return line
