"""What a person does with the block under the cursor: copy, quote, open, fork, or choose from its menu."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from tui.transcript import selection as selecting
from tui.transcript.findingview import FindingView
from tui.widgets.key_chips import TellsKeys

if TYPE_CHECKING:
    from tui.transcript.block_menu import Choice
    from tui.transcript.blocks import Block


class BlockView(TellsKeys, FindingView):
    """Adds to the cursor what can be done where it is. What the view cannot do itself it asks for by messages."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "menu", "Menu"),
        Binding("c,y", "copy", "Copy"),
        Binding("m", "copy_markdown", "Copy as Markdown"),
        Binding("q", "quote", "Quote"),
        Binding("o", "open", "Open"),
        Binding("e", "edit", "Open in the editor", show=False),
        Binding("g", "go", "Go to the sub-agent"),
    ]

    class Copied(Message, namespace="transcript_view"):
        """So many characters went to the clipboard."""

        def __init__(self, characters: int) -> None:
            super().__init__()
            self.characters = characters

    class Quoted(Message, namespace="transcript_view"):
        """This is to be answered: plain text, to be put into the composer as a quote."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class OpenWanted(Message, namespace="transcript_view"):
        """A text is to be shown whole in the pager, or in the editor; it has no escape sequences."""

        def __init__(self, text: str, *, editor: bool, suffix: str) -> None:
            super().__init__()
            self.text = text
            self.editor = editor
            self.suffix = suffix

    class PictureWanted(Message, namespace="transcript_view"):
        """An image is to be shown; the path is somebody else's."""

        def __init__(self, path: str) -> None:
            super().__init__()
            self.path = path

    class ThreadWanted(Message, namespace="transcript_view"):
        """A sub-agent's thread is to be shown."""

        def __init__(self, thread_id: str) -> None:
            super().__init__()
            self.thread_id = thread_id

    class ForkWanted(Message, namespace="transcript_view"):
        """Another conversation is to go on from this box."""

        def __init__(self, box_id: int) -> None:
            super().__init__()
            self.box_id = box_id

    class RevertWanted(Message, namespace="transcript_view"):
        """The conversation is to go back to this box."""

        def __init__(self, box_id: int) -> None:
            super().__init__()
            self.box_id = box_id

    @property
    def block(self) -> Block | None:
        """What the cursor is on."""
        from tui.transcript.blocks import Block

        entry, flow = self._current(), self.flow
        if entry is None or flow is None:
            return None
        if self._part is not None and entry is self._cursor:
            lines = flow.rendered(flow.index(entry)).lines
            return Block(entry, lines[self._part.first : self._part.last + 1], self._part)
        return Block(entry, self._shown(entry))

    def key_words(self, action: str) -> str | None:
        match action:
            case "block(-1)" | "block(1)":
                return "Move"
            case "open" if (block := self.block) is not None and block.picture is not None:
                return "Show the image"
            case _:
                return None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "go":
            from tui.transcript import hidden

            box = self._cursor.box if self._cursor is not None else None
            return box is not None and hidden.is_sub_agent(box)
        return super().check_action(action, parameters)

    def action_menu(self) -> None:
        """What can be done with the block."""
        from tui.transcript.block_menu import BlockMenu, choices_for, with_own_keys

        block = self.block
        if block is None:
            return
        if self._cursor is None:
            self._put_cursor(block.entry)
        forks = hasattr(self.screen, "action_fork_from")
        choices = choices_for(block, forks=forks, folded=self._folded)
        choices = with_own_keys(choices, getattr(self.app, "keys", {}))
        self.app.push_screen(BlockMenu(choices, self._menu_row(), self.region.x), self._chosen)

    async def _chosen(self, choice: Choice | None) -> None:
        if choice is not None:
            await self.run_action(choice.action)

    def action_copy(self) -> None:
        """What is selected, else the block, as it reads."""
        self._copy(self._selected or self._text())

    def action_copy_all(self) -> None:
        """The whole message that the block is in."""
        self._put_cursor(self._current())
        self._copy(self._text())

    def action_copy_markdown(self) -> None:
        if (block := self.block) is not None:
            self._copy(block.markdown)

    def action_quote(self) -> None:
        """Answer what is selected, else the block."""
        if text := self._selected or self._text():
            self.post_message(self.Quoted(text))

    def action_open(self) -> None:
        """All of it in the pager; an image in what shows images."""
        self._open(editor=False)

    def action_edit(self) -> None:
        self._open(editor=True)

    def action_go(self, number: int = 0) -> None:
        """To the conversation of a sub-agent."""
        block = self.block
        if block is not None and number < len(block.threads):
            self.post_message(self.ThreadWanted(block.threads[number]))

    def action_fork(self) -> None:
        if (block := self.block) is not None and block.box_id is not None:
            self.post_message(self.ForkWanted(block.box_id))

    def action_revert(self) -> None:
        if (block := self.block) is not None and block.box_id is not None:
            self.post_message(self.RevertWanted(block.box_id))

    def clicked_again(self) -> None:
        """The second click, or the right button."""
        self.screen.clear_selection()
        self.action_menu()

    @property
    def _selected(self) -> str:
        chosen = self.text_selection
        return selecting.text(chosen, self.flow) if chosen is not None and self.flow is not None else ""

    @property
    def _folded(self) -> bool | None:
        entry, flow = self._cursor, self.flow
        if entry is None or flow is None or not flow.holds(entry):
            return None
        return flow.rendered(flow.index(entry)).folded

    def _text(self) -> str:
        return block.text if (block := self.block) is not None else ""

    def _menu_row(self) -> int:
        """The row of the screen below which the menu stands."""
        if self.flow is None or self._cursor is None:
            return self.region.y
        top, _ = self._extent(self.flow)
        return self.region.y + min(max(0, top - self.first_row), max(0, self.page - 1))

    def _open(self, *, editor: bool) -> None:
        from tui.transcript.copying import whole_of

        block = self.block
        if block is None:
            return
        if block.picture is not None:
            self.post_message(self.PictureWanted(block.picture))
            return
        text = block.markdown if block.part is not None else whole_of(block.entry)
        self.post_message(self.OpenWanted(text, editor=editor, suffix=block.suffix))

    def _copy(self, text: str) -> None:
        if text:
            self.app.copy_to_clipboard(text)
            self.post_message(self.Copied(len(text)))
