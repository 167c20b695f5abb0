"""A block: what the cursor is on, an entry or a Markdown block of a message, and what it is outside the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.agent.items import Image
from tui.transcript import markdown_rows, safe
from tui.transcript.copying import markdown_of, text_of
from tui.transcript.panes import message
from tui.transcript.reading import Changed, Delegated, Planned, Seen, Written, read

if TYPE_CHECKING:
    from tui.transcript.entries import Entry
    from tui.transcript.rows import Rendered, Styler

Parts = Sequence[markdown_rows.Part]


def parts_of(entry: Entry, rendered: Rendered, width: int, styler: Styler) -> Parts:
    """The Markdown blocks of a message as it is drawn; () where it has but one, and for any other entry."""
    content = read(entry)
    if not isinstance(content, Written):
        return ()
    parts, lines = message.parts(content, width, styler, folded=rendered.folded is True)
    # A giant block that streamed is drawn in pieces: then its lines are others, and it has no parts.
    return parts if len(parts) > 1 and rendered.lines[: len(lines)] == lines else ()


@dataclass(frozen=True, slots=True)
class Block:
    """An entry, `part` None, or a part of it. `lines` are the logical lines that show it."""

    entry: Entry
    lines: Sequence[str]
    part: markdown_rows.Part | None = None

    @property
    def text(self) -> str:
        """As it reads, with no marks of Markdown and no line breaks that only the screen needs."""
        content = read(self.entry)
        if isinstance(content, Written) and len(content.text) <= message.MAX_CHARACTERS:
            shown = "\n".join(line.rstrip(" ") for line in self.lines)
            return safe.copyable(shown).strip("\n")
        return text_of(self.entry)

    @property
    def markdown(self) -> str:
        """As Markdown: a message as it was written, other entries with their text in fences."""
        content = read(self.entry)
        if self.part is None or not isinstance(content, Written):
            return markdown_of(self.entry)
        source = message.source(content).split("\n")
        return safe.copyable("\n".join(source[self.part.begin : self.part.end])).strip("\n")

    @property
    def suffix(self) -> str:
        """Of a file that holds its text, so that an editor knows the language."""
        match read(self.entry):
            case Written() | Planned():
                return ".md"
            case Changed():
                return ".diff"
            case _:
                return ".txt"

    @property
    def threads(self) -> tuple[str, ...]:
        """The threads of the sub-agents that it is about."""
        content = read(self.entry)
        return content.call.receivers if isinstance(content, Delegated) else ()

    @property
    def picture(self) -> str | None:
        """Where the image is that it shows."""
        content = read(self.entry)
        return (
            content.item.path or None
            if isinstance(content, Seen) and isinstance(content.item, Image)
            else None
        )

    @property
    def box_id(self) -> int | None:
        """The box that it is recorded in."""
        return self.entry.box.id if self.entry.box is not None else None


def quoted(text: str) -> str:
    """Text as a Markdown quote, with an empty line after it to go on at."""
    return "".join(f"> {line}".rstrip() + "\n" for line in text.split("\n")) + "\n"
