"""The list of what waits: two lines each, under a heading where several ask the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import time

from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from core.conversation.feed import Notification
from tui.inbox.likeness import Group, summary
from tui.prompts.words import age
from tui.transcript import safe

LINE = 300
"""Characters of a summary; the whole stands beside the list."""


class WaitingList(OptionList):
    """The arrows choose what is shown beside it; Enter goes into that, and decides nothing."""

    class Chosen(Message):
        """Another one is to be shown; None: nothing waits."""

        def __init__(self, notification_id: int | None) -> None:
            super().__init__()
            self.notification_id = notification_id

    class Entered(Message):
        """The person goes into what is shown."""

    def __init__(self, title_of: Callable[[Notification], str], *, widget_id: str) -> None:
        super().__init__(id=widget_id, compact=True)
        self._title_of = title_of
        self._ids: tuple[int, ...] = ()
        self._shown: tuple[tuple[str, str], ...] = ()

    @property
    def chosen(self) -> int | None:
        """The id of the notification under the highlight."""
        if self.highlighted is None:
            return None
        name = self.get_option_at_index(self.highlighted).id
        return int(name) if name else None

    def show(self, groups: Sequence[Group], seen: Iterable[int]) -> None:
        """These wait. The highlight stays on what it was on, else it goes to what took its place.

        `seen`: which were shown already, of those that ask the same.
        """
        options = list(self._options_of(groups, frozenset(seen)))
        shown = tuple((option.id or "", str(option.prompt)) for option in options)
        if shown == self._shown:
            return
        self._shown = shown
        before, place = self.chosen, self.highlighted or 0
        self.clear_options()
        self.add_options(options)
        able = [index for index, option in enumerate(options) if not option.disabled]
        same = next((index for index in able if options[index].id == str(before)), None)
        later = next((index for index in able if index >= place), able[-1] if able else None)
        self.highlighted = same if same is not None else later
        if self.chosen != before or not able:
            self.post_message(self.Chosen(self.chosen))

    def choose(self, notification_id: int) -> None:
        """Highlight one."""
        self.highlighted = self.get_option_index(str(notification_id))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_id:
            self.post_message(self.Chosen(int(event.option_id)))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Entered())

    def _options_of(self, groups: Sequence[Group], seen: frozenset[int]) -> Iterable[Option]:
        put_off = False
        for group in groups:
            if group.snoozed and not put_off:
                put_off = True
                yield Option(Content.styled("Put off", "bold $foreground 60%"), disabled=True)
            several = len(group.members) > 1
            if several:
                words = f"{len(group.members)} ask the same"
                yield Option(Content.styled(words, "bold $primary"), disabled=True)
            for member in group.members:
                yield Option(self._lines_of(member, several, member.id in seen), id=str(member.id))

    def _lines_of(self, notification: Notification, several: bool, seen: bool) -> Content:
        mark = ("✓ " if seen else "· ") if several else ""
        what = Content(mark + safe.line(" ".join(summary(notification.request).split()), LINE))
        facts = (
            self._title_of(notification) or "another program",
            age(notification, time() * 1000),
            "asked twice" if notification.cautions else "",
        )
        about = " · ".join(safe.line(fact, 80) for fact in facts if fact)
        return what + Content.styled(f"\n   {about}", "$foreground 60%")
