"""The list of conversations at the left: groups that fold, a mark for what each one does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.keymap import Keyed
from tui.widgets.key_chips import TellsKeys
from tui.widgets.session_groups import Group, Row

_GROUP = "group:"


class SessionList(TellsKeys, Keyed, OptionList):
    """Enter or a click opens a conversation, or folds a group."""

    PART = "list"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "select", "Open")]

    class Chosen(Message):
        """The person wants this conversation."""

        def __init__(self, conversation_id: str) -> None:
            super().__init__()
            self.conversation_id = conversation_id

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id, compact=True)
        self._groups: Sequence[Group] = ()
        self._current: str | None = None
        self._folded: set[str] = set()

    def on_mount(self) -> None:
        self.border_title = "Conversations"

    @property
    def ids(self) -> list[str]:
        """The conversations in the order of the list."""
        return [row.id for group in self._groups for row in group.rows]

    def neighbour(self, conversation_id: str | None, step: int) -> str | None:
        """The one `step` (1 or -1) further; from outside the list, its first or last. None where there is none."""
        ids = self.ids
        if conversation_id not in ids:
            return ids[0 if step > 0 else -1] if ids else None
        place = ids.index(conversation_id) + step
        return ids[place] if 0 <= place < len(ids) else None

    def show(self, groups: Sequence[Group], current: str | None) -> None:
        """These conversations; `current` is the open one."""
        if groups == self._groups and current == self._current:
            return
        self._groups, self._current = groups, current
        self._fill()

    def key_words(self, action: str) -> str | None:
        """Enter opens a conversation and folds a group."""
        if action != "select":
            return None
        marked = self.highlighted_option
        if marked is None:
            return ""
        return "Fold or unfold" if (marked.id or "").startswith(_GROUP) else "Open"

    def watch_highlighted(self, highlighted: int | None) -> None:
        super().watch_highlighted(highlighted)
        self.refresh_bindings()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        option_id = event.option_id or ""
        if option_id.startswith(_GROUP):
            self._folded ^= {option_id.removeprefix(_GROUP)}
            self._fill()
        else:
            self.post_message(self.Chosen(option_id))

    def _fill(self) -> None:
        """Everything anew, with the highlight and the scroll where they were."""
        before = self.highlighted_option.id if self.highlighted_option is not None else self._current
        scroll = self.scroll_y
        self.clear_options()
        options: list[Option] = []
        for group in self._groups:
            folded = group.name in self._folded
            options.append(Option(_heading(group, folded), id=_GROUP + group.name))
            if not folded:
                options.extend(Option(_line(row, row.id == self._current), id=row.id) for row in group.rows)
        self.add_options(options)
        ids = [option.id for option in options]
        self.highlighted = ids.index(before) if before in ids else None
        self.scroll_to(y=scroll, animate=False)


def _heading(group: Group, folded: bool) -> Content:
    return Content.styled(
        f"{'▸' if folded else '▾'} {group.name.capitalize()} {len(group.rows)}", "bold $primary"
    )


def _line(row: Row, current: bool) -> Content:
    folder = (f"  {row.folder}", "$foreground 55%") if row.folder else ""
    mark_style = "bold $accent" if row.unread or row.mark.startswith("?") else ""
    return Content.assemble(
        "›" if current else " ",
        (f"{row.mark:<2}", mark_style),
        (row.title, "bold" if current or row.unread else ""),
        folder,
    )
