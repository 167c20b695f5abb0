"""What a text that is sent is: a message, a slash command, a command for the shell. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Said:
    """A message. `text` is without the character that said so."""

    text: str


@dataclass(frozen=True, slots=True)
class Slash:
    """`name` without its slash, as it was typed; there may be no such command."""

    name: str
    argument: str


@dataclass(frozen=True, slots=True)
class ShellLine:
    line: str


Meaning = Said | Slash | ShellLine


def meaning(text: str) -> Meaning:
    """A space before it, or a second slash, makes a message of anything; a path is no command."""
    if text[:2] in (" /", " !"):
        return Said(text[1:])
    if text.startswith("//"):
        return Said(text[1:])
    if text.startswith("/"):
        word, _, rest = text.partition("\n")[0].partition(" ")
        if "/" not in word[1:]:
            argument = text[len(word) :].strip() if rest or "\n" in text else ""
            return Slash(word[1:], argument)
    if text.startswith("!") and not text.startswith("!!") and (line := text[1:].strip()):
        return ShellLine(line)
    return Said(text)
