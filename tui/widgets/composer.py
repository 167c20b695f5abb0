"""The composer: where a message is written, and where it stays until the engine has it on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Static, TextArea

from tui.composing import keys_here
from tui.composing.completing import Completer
from tui.composing.images import mentioned_images
from tui.composing.intake import Intake
from tui.composing.meaning import Said, ShellLine, Slash, meaning
from tui.composing.sources import Sources
from tui.transcript import safe
from tui.widgets import composer_hint
from tui.widgets.composer_hint import ComposerHint
from tui.widgets.composer_input import MessageInput as MessageInput
from tui.widgets.key_chips import Chip, TellsKeys
from tui.widgets.writing import Outgoing, Writing

if TYPE_CHECKING:
    from tui.slash.catalog import SlashCommand

FIRST_WORDS = 80
SHOWN_AFTER = 0.25
"""Seconds after which a message that is not taken yet is shown as waiting."""


class Composer(TellsKeys, Vertical):
    """Shows one `Writing` at a time. `waits` says why messages are not taken now, "" where they are.

    `also_takes` is asked of keys that the completions leave, before they do anything in the text.
    """

    class Submitted(Message):
        """A message is to be handed to the engine; answer with `taken` or `refused`."""

        def __init__(self, writing: Writing, message: Outgoing) -> None:
            super().__init__()
            self.writing = writing
            self.message = message

    class Edited(Message):
        """The draft of `writing` is another."""

        def __init__(self, writing: Writing) -> None:
            super().__init__()
            self.writing = writing

    class Commanded(Message):
        """A slash command that there is was given; the text is gone from the composer."""

        def __init__(self, writing: Writing, name: str, argument: str) -> None:
            super().__init__()
            self.writing = writing
            self.name = name
            self.argument = argument

    class ShellAsked(Message):
        """A command is to be run in the sandbox."""

        def __init__(self, writing: Writing, line: str) -> None:
            super().__init__()
            self.writing = writing
            self.line = line

    class Told(Message):
        """Something that the person should know about what she wrote."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, writing: Writing, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._writing = writing
        self._input = MessageInput(writing.text, writing.parts)
        self._input.send = self.submit
        self._input.queue = self.queue
        self._input.clear_message = lambda: self._clear_of(self._writing.text)
        writing.attach(self._read)
        writing.shown()
        self._intake = Intake(writing.parts, lambda: self._folder, self._tell)
        self._completer = Completer(self._input, self._intake.image, self.submit, self._show_hint)
        self._outgoing = Static(id="outgoing", markup=False)
        self._hint = ComposerHint(widget_id="composer-hint")
        self._running = False
        self._expands = False
        self._keys_told: tuple[object, ...] = ()
        self._loads = 0
        self.also_takes: Callable[[str], bool] = lambda key: False
        self.waits = ""

    @property
    def input(self) -> MessageInput:
        return self._input

    @property
    def writing(self) -> Writing:
        return self._writing

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As its parts stand: by itself Textual leaves out that the text takes a third of the screen at most."""
        del container
        return self.arrange(Size(width, viewport.height)).total_region.height

    def compose(self) -> ComposeResult:
        self._outgoing.display = False
        self._input.pasted = self._intake.paste
        self._input.takes = lambda key: self._completer.takes(key) or self.also_takes(key)
        yield self._outgoing
        yield self._completer.list
        yield self._input
        yield self._hint

    @property
    def empty(self) -> bool:
        """Is nothing written?"""
        return self._input.document.line_count == 1 and not self._input.document.get_line(0)

    @property
    def choosing(self) -> bool:
        """Is the list of completions open?"""
        return self._completer.open

    def first_words(self) -> str:
        """The beginning of what is written, to look for more like it."""
        return self._input.document.get_line(0)[:FIRST_WORDS].strip()

    def use(self, sources: Sources) -> None:
        """From here on completions and images come from there."""
        self._completer.sources = sources

    def focus_input(self) -> None:
        self._input.focus()

    def show(self, writing: Writing) -> None:
        """Go on with another conversation's writing."""
        self._completer.close()
        if writing is not self._writing:
            self._writing.detach()
            self.post_message(self.Edited(self._writing))
            self._writing = writing
            writing.attach(self._read)
        self._input.parts = self._intake.parts = writing.parts
        self._load()
        self._show_outgoing()

    def say(self, hint: str, *, running: bool = False) -> None:
        """What Enter will do; shown while nothing is written. `running`: a turn runs, so that Tab queues."""
        self._input.placeholder = Content(hint)
        self._running = running
        self._show_hint()

    def taken(self, writing: Writing, key: str) -> None:
        """The engine has a message on disk."""
        writing.taken(key)
        self._show_outgoing()
        self.post_message(self.Edited(writing))

    def refused(self, writing: Writing, key: str) -> None:
        """The engine could not take a message: it is in the text again."""
        writing.refused(key)
        if writing is self._writing:
            self._load()
            self._show_outgoing()
        self.post_message(self.Edited(writing))

    def put(self, text: str) -> None:
        """Insert text where the cursor is, as if it was pasted."""
        self._input.paste(text)

    def replace(self, text: str) -> None:
        """Another text in place of what is written, which Undo brings back."""
        self._input.replace_all(text)

    def give_back(self, writing: Writing, text: str) -> None:
        """What could not be done stands in the text again, before what was written since."""
        writing.text = f"{text}\n{writing.text}" if writing.text else text
        if writing is self._writing:
            self._load()
        self.post_message(self.Edited(writing))

    def attach_output(self, command: str, told: str) -> None:
        """Put what stands for the output of a command at the end."""
        self._input.move_cursor(self._input.document.end)
        before = "\n" if self._input.cursor_location[1] else ""
        self._input.put(f"{before}{self._writing.parts.output(command, told)}\n")

    def take_back(self, text: str, images: tuple[str, ...]) -> None:
        """Insert a message that was sent from here, with its images."""
        if images:
            self._input.put(self._writing.returned(text, images))
        else:
            self.put(text)

    def put_before(self, writing: Writing, returned: str) -> None:
        """Put messages that were sent from here before what is written, which Undo takes out again."""
        text = writing.behind(returned)
        if writing is self._writing:
            self._input.replace_all(text)
        else:
            writing.text = text
        self.post_message(self.Edited(writing))

    def submit(self, *, queue: bool = False, literally: bool = False) -> None:
        """Do what is written, as Enter does; `queue`: a message is to wait for the end of the turn.

        `literally`: it is a message, whatever it begins with.
        """
        self._completer.close()
        written = self._writing.text.strip("\n")
        match Said(written) if literally else meaning(written):
            case Slash(name, argument):
                self._command(name, argument)
            case ShellLine(line):
                self._clear_of(written)
                self.post_message(self.ShellAsked(self._writing, self._writing.parts.expand(line)[0]))
            case Said(text):
                self._send(text, queue=queue)

    def _command(self, name: str, argument: str) -> None:
        from tui.slash.catalog import find

        if (command := find(name)) is None:
            shown = safe.line(name, 60)
            self._tell(f"There is no command /{shown}; a space before it sends it as text")
            return
        self._clear_of(self._writing.text)
        argument = self._writing.parts.expand(argument)[0]
        self.post_message(self.Commanded(self._writing, command.name, argument))

    def _clear_of(self, text: str) -> None:
        """The text was not sent, but done: it can be brought back by Undo, and by the arrow up."""
        self._writing.heard([text])
        self._input.replace_all("")

    def _send(self, text: str, *, queue: bool) -> None:
        images = mentioned_images(text, self._folder) if "@" in text else ()
        message = self._writing.submit(queue=queue, attachments=images, said=text)
        if message is not None:
            self._load()
            self._hand_over(self._writing, message)

    def send_besides(self, writing: Writing, text: str, images: tuple[str, ...] = ()) -> None:
        """Send a message to where `writing` is, wherever the person is now; what is written there stays."""
        mentioned = mentioned_images(text, self._folder) if "@" in text else ()
        self._hand_over(writing, writing.say(text, (*images, *mentioned)))

    def _hand_over(self, writing: Writing, message: Outgoing) -> None:
        if self.waits:
            self._show_outgoing()
        else:
            self.set_timer(SHOWN_AFTER, self._show_outgoing)
        self.post_message(self.Submitted(writing, message))

    def queue(self) -> None:
        """As Tab does: a message for after the turn; nothing where none runs."""
        if self._running:
            self.submit(queue=True)

    def on_message_input_recalled(self, event: MessageInput.Recalled) -> None:
        event.stop()
        text = self._writing.recall(event.step)
        if text is not None:
            self._writing.text = text
            self._load()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._completer.update()
        self._show_keys()
        self.set_class(isinstance(meaning(self._input.document.get_line(0)), ShellLine), "-shell")
        if self._loads:
            self._loads -= 1
        else:
            self.post_message(self.Edited(self._writing))

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        event.stop()
        self._completer.update()
        self._show_hint()

    def _tell(self, text: str) -> None:
        self.post_message(self.Told(text))

    @property
    def _folder(self) -> Path:
        sources = self._completer.sources
        return sources.folder if sources is not None else Path.cwd()

    def _load(self) -> None:
        if self._input.text != self._writing.text:
            self._loads += 1
            self._input.text = self._writing.text
            self._input.move_cursor(self._input.document.end)
            self._completer.leave()
        self._writing.shown()

    def _read(self) -> str:
        return self._input.text

    def key_words(self, action: str) -> str | None:
        return keys_here.words_of(action, self._standing())

    def key_chips(self) -> Iterable[Chip]:
        return keys_here.chips_of(self._standing())

    def _standing(self) -> keys_here.Standing:
        return keys_here.Standing(
            beginning=keys_here.beginning_of(self._input.document.lines),
            queues=self._running,
            choosing=self._completer.open,
            choices=self._completer.offers,
            expands=self._expands,
        )

    def _show_keys(self) -> None:
        """The bar hears of it where its keys mean something else now."""
        now = self._standing()
        told = (*keys_here.all_words(now), *keys_here.chips_of(now))
        if told != self._keys_told and self.is_attached:
            self._keys_told = told
            self.refresh_bindings()

    def _show_hint(self) -> None:
        words = composer_hint.RUNNING if self._running else composer_hint.IDLE
        self._expands = False
        if self._completer.open:
            words = composer_hint.CHOOSING
        elif found := self._input.placeholder_at_cursor():
            (row, start), (_, end) = found
            image = self._writing.parts.expand(self._input.document.get_line(row)[start:end])[1]
            self._expands = not image
            words = composer_hint.IMAGE if image else composer_hint.PLACEHOLDER
        elif self.has_class("-shell"):
            words = composer_hint.SHELL
        elif command := self._command_begun():
            words = ((f"/{command.name} {command.argument}".rstrip(), command.help),)
        self._hint.show(words)
        self._show_keys()

    def _command_begun(self) -> SlashCommand | None:
        """The slash command whose argument is being written."""
        line = self._input.document.get_line(0)
        if not line.startswith("/"):
            return None
        from tui.slash.catalog import find

        name, space, _ = line[1:FIRST_WORDS].partition(" ")
        return find(name) if space else None

    def _show_outgoing(self) -> None:
        messages = self._writing.outgoing
        self._outgoing.display = bool(messages)
        why = f" · {self.waits}" if self.waits else ""
        lines = [f"⧗ {safe.line(message.written, 200)}{why}" for message in messages]
        self._outgoing.update(Content("\n".join(lines)))
