"""Completions: what is offered for the word at the cursor, in a list above the composer.

The word is looked at after each key, the list is looked up when nothing was typed for a moment. What comes for a
word that is no longer there is thrown away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from core.errors import QuarterdeckError
from core.image_files import SUFFIXES
from tui.composing.sources import Sources
from tui.composing.tokens import Wanted, wanted
from tui.transcript import cells, safe
from tui.widgets.composer_input import MessageInput

PAUSE = 0.06
"""Seconds without a key after which Codex is asked."""

MOST = 50
NAME_WIDTH = 22
"""Cells that are kept for names, where there are words behind them."""

LONGEST_NAME = 400


class Choice(NamedTuple):
    """What is put in place of the word. `final`: with it, the text is whole and Enter sends it."""

    text: str
    name: str
    words: str = ""
    image: str = ""
    final: bool = False


class Completions(OptionList):
    """The list. It never has the focus: the keys go to the composer, the mouse comes here."""

    def __init__(self, chosen: Callable[[int], None]) -> None:
        super().__init__(compact=True, id="completions")
        self.can_focus = False
        self.display = False
        self._chosen = chosen

    def show(self, choices: Sequence[Choice], empty: str, marked: int = 0) -> None:
        """These, one of them marked; or why there are none."""
        self.clear_options()
        width = max((cells.width_of(safe.line(one.name, LONGEST_NAME)) for one in choices), default=0)
        lines = [Option(_line(one, min(width, NAME_WIDTH))) for one in choices]
        self.add_options(lines or [Option(Content(empty), disabled=True)])
        self.highlighted = marked if choices else None
        self.display = bool(choices) or bool(empty)

    def move(self, step: int) -> None:
        """Move the mark, round at the ends."""
        if self.option_count:
            self.highlighted = ((self.highlighted or 0) + step) % self.option_count

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._chosen(event.option_index)


class Completer:
    """Owns the list and what is looked up for it. `sources` None: there is no engine yet."""

    def __init__(
        self,
        field: MessageInput,
        put_image: Callable[[str], str],
        submit: Callable[[], None],
        opened: Callable[[], None],
    ) -> None:
        """`put_image` gives what stands for an image in the text, "" where it is none. `opened`: it did, or closed."""
        self.list = Completions(self._take)
        self.sources: Sources | None = None
        self._field = field
        self._put_image = put_image
        self._submit = submit
        self._opened = opened
        self._wanted: Wanted | None = None
        self._found: Wanted | None = None
        """What the choices are for: behind `_wanted` as long as it is looked up."""
        self._due = ""
        """Enter or Tab, pressed before what it takes was found."""
        self._left: tuple[int, int] | None = None
        self._choices: Sequence[Choice] = ()

    @property
    def open(self) -> bool:
        return self.list.display

    @property
    def offers(self) -> bool:
        """Is there something to choose?"""
        return bool(self._choices)

    def close(self) -> None:
        self._wanted = self._found = None
        self._choices = ()
        self._due = ""
        if self.open:
            self.list.display = False
            self._opened()

    def leave(self) -> None:
        """Nothing is offered for the word at the cursor: it was not typed now."""
        row, _ = self._field.cursor_location
        found = self._here()
        self.close()
        self._left = (row, found.start) if found else None

    def update(self) -> None:
        """The text or the cursor is another."""
        row, _ = self._field.cursor_location
        found = self._here()
        if found is None or self._left == (row, found.start):
            if found is None:
                self._left = None
            if self._wanted is not None:
                self.close()
            return
        if found == self._wanted:
            return
        self._left = None
        self._due = ""
        if self._wanted is None or found.kind != self._wanted.kind:
            self.close()
        self._wanted = found
        self._field.run_worker(self._look_up(found), group="completions", exclusive=True)

    def takes(self, key: str) -> bool:
        """Do what a key does in the list; False where it does nothing there."""
        if not self.open:
            return False
        if key in ("enter", "tab"):
            self._catch_up()
        match key:
            case "escape":
                self.leave()
            case "up" | "down" if self._choices:
                self.list.move(1 if key == "down" else -1)
            case "enter" | "tab" if self._choices and self._found == self._here():
                self._take(self.list.highlighted or 0, send=key == "enter")
            case "enter" | "tab" if self._choices and self._here() is not None:
                self.update()
                self._due = key
            case _:
                return False
        return True

    def _here(self) -> Wanted | None:
        """The word at the cursor, as it stands there now: in a burst of keys `update` comes behind them."""
        row, column = self._field.cursor_location
        return wanted(self._field.document.get_line(row), column, first=row == 0)

    def _catch_up(self) -> None:
        """Of commands all is known at once: those for what stands there now."""
        here = self._here()
        if here is not None and here.kind == "/" and here != self._found:
            self._wanted = self._found = here
            self._choices = commands(here.text)[:MOST]
            self.list.show(self._choices, "")

    def _take(self, index: int, *, send: bool = False) -> None:
        if self._found is None or self._found != self._here() or index >= len(self._choices):
            return
        choice = self._choices[index]
        row, column = self._field.cursor_location
        image = self._put_image(choice.image) if choice.image else ""
        text = f"{image} " if image else choice.text
        start = self._found.start
        self.close()
        self._field.swap(text, (row, start), (row, column))
        self._left = (row, start)
        self._field.focus()
        if send and choice.final:
            self._submit()

    async def _look_up(self, looked_for: Wanted) -> None:
        empty = ""
        try:
            choices = await self._choices_for(looked_for)
            if not choices and looked_for.kind == "@":
                empty = (
                    "No file has that in its path"
                    if looked_for.text
                    else "Type some letters of a file's path"
                )
        except QuarterdeckError as error:
            choices, empty = (), f"Nothing can be looked up now: {safe.line(error.what, 200)}"
        if looked_for == self._wanted:
            marked = self._choices[self.list.highlighted or 0] if self._choices else None
            moved = bool(self.list.highlighted)
            self._choices, self._found = choices[:MOST], looked_for
            place = self._choices.index(marked) if moved and marked in self._choices else 0
            self.list.show(self._choices, empty, place)
            self._opened()
            self._do_due()

    def _do_due(self) -> None:
        """The key that came before what it takes, as if it came now."""
        key, self._due = self._due, ""
        if key and self._choices:
            self._take(0, send=key == "enter")
        elif key == "enter":
            self._submit()

    async def _choices_for(self, looked_for: Wanted) -> Sequence[Choice]:
        if looked_for.kind == "/":
            return commands(looked_for.text)
        await asyncio.sleep(PAUSE)
        if self.sources is None:
            raise QuarterdeckError("Codex is not there yet")
        if looked_for.kind == "$":
            typed = looked_for.text.lower()
            skills = [skill for skill in await self.sources.skills() if typed in skill.name.lower()]
            skills.sort(key=lambda skill: (not skill.name.lower().startswith(typed), skill.name))
            return [Choice(f"${skill.name} ", f"${skill.name}", skill.description) for skill in skills]
        folder = self.sources.folder
        if not looked_for.text:
            return [
                _file(folder, one.path, "changed" if one.changed else "folder" if one.folder else "")
                for one in await self.sources.near()
            ]
        files = await self.sources.files(looked_for.text)
        return [_file(folder, file.path, "folder" if file.folder else "") for file in files]


def _file(folder: Path, path: str, words: str) -> Choice:
    image = str(folder / path) if path.lower().endswith(SUFFIXES) and words != "folder" else ""
    words = " · ".join(part for part in (words, "image, goes along" if image else "") if part)
    return Choice(f"{quoted(path)} ", path, words, image)


def commands(typed: str) -> list[Choice]:
    """The slash commands that begin so, then those that have it in their name."""
    from tui.slash.catalog import ALSO, COMMANDS

    typed = typed.lower()
    meant = {name for other, name in ALSO.items() if typed and other.startswith(typed)}
    found = [command for command in COMMANDS if typed in command.name or command.name in meant]
    found.sort(key=lambda command: (not command.name.startswith(typed), command.name not in meant))
    return [
        Choice(
            f"/{command.name} " if command.argument else f"/{command.name}",
            f"/{command.name} {command.argument}".rstrip(),
            command.help,
            final=not command.argument or command.argument.startswith("["),
        )
        for command in found
    ]


def quoted(path: str) -> str:
    """A path as one word."""
    return f'"{path}"' if any(character.isspace() for character in path) else path


def _line(choice: Choice, width: int) -> Content:
    name = safe.line(choice.name, LONGEST_NAME)
    pad = " " * max(width - cells.width_of(name), 0)
    words = f"  {safe.line(choice.words, 200)}" if choice.words else ""
    return Content.assemble((name + (pad if words else ""), "bold"), (words, "$foreground 60%"))
