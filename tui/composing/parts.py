"""What stands in a text only by its name: a big paste, an image. Pure.

The text holds a placeholder (`[Pasted 132 lines #1]`); what is behind it is here. A placeholder that nothing is
behind is plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

MOST_LINES = 10
MOST_CHARACTERS = 1_000
"""A paste of more becomes a placeholder."""

NAME_LENGTH = 40

_PLACEHOLDER = re.compile(r"\[(?:Pasted|Output|Image) [^\[\]\n]{1,120}\]")
_IMAGE = re.compile(r"\[Image [^\[\]\n]{1,120}\]")
_NUMBER = re.compile(r"#(\d+)")
_UNFIT = re.compile(r"[\[\]\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Paste:
    """Goes to Codex as exactly this text."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """Goes to Codex as the file; its placeholder stays in the text, so that one can speak of it."""

    path: str


Part = Paste | Image


class Parts:
    """Those of one composer, by their placeholders."""

    def __init__(self) -> None:
        self._parts: dict[str, Part] = {}

    def __bool__(self) -> bool:
        return bool(self._parts)

    def __getitem__(self, placeholder: str) -> Part:
        return self._parts[placeholder]

    def paste(self, text: str) -> str:
        """Take a big paste; its placeholder."""
        lines = text.removesuffix("\n").count("\n") + 1
        size = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
        return self._add(f"[Pasted {size} #{{}}]", Paste(text))

    def output(self, command: str, text: str) -> str:
        """Take what a command said; its placeholder."""
        return self._add(f"[Output of {_name(command)} #{{}}]", Paste(text))

    def image(self, path: str, name: str, size: int) -> str:
        """Take an image; its placeholder. `size` in bytes."""
        return self._add(f"[Image #{{}} {_name(name)} {size_words(size)}]", Image(path))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where placeholders with something behind them stand in `text`."""
        if self._parts:
            for match in _PLACEHOLDER.finditer(text):
                if match.group() in self._parts:
                    yield match.span()

    def within(self, text: str) -> dict[str, Part]:
        """Those that stand in `text`."""
        return {text[start:end]: self._parts[text[start:end]] for start, end in self.spans(text)}

    def expand(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The text as Codex gets it, and the paths of the images in it, each once."""
        pieces: list[str] = []
        images: list[str] = []
        after = 0
        for start, end in self.spans(text):
            part = self._parts[text[start:end]]
            match part:
                case Paste():
                    pieces += (text[after:start], part.text)
                    after = end
                case Image():
                    images.append(part.path)
        return "".join((*pieces, text[after:])), tuple(dict.fromkeys(images))

    def adopt(self, text: str, parts: Mapping[str, Part]) -> str:
        """Take those of another text; that text, with other numbers where they were taken."""
        renamed: dict[str, str] = {}
        for placeholder, part in parts.items():
            if self._parts.get(placeholder, part) == part:
                self._parts[placeholder] = part
            else:
                renamed[placeholder] = self._add(_NUMBER.sub("#{}", placeholder, count=1), part)
        return _PLACEHOLDER.sub(lambda match: renamed.get(match.group(), match.group()), text)

    def forget(self, placeholders: Iterable[str]) -> None:
        """These stand nowhere any more."""
        for placeholder in placeholders:
            self._parts.pop(placeholder, None)

    def _add(self, form: str, part: Part) -> str:
        numbers = (_NUMBER.search(placeholder) for placeholder in self._parts)
        number = max((int(found.group(1)) for found in numbers if found), default=0) + 1
        placeholder = form.replace("#{}", f"#{number}", 1)
        self._parts[placeholder] = part
        return placeholder


def images_in(text: str, paths: Iterable[str]) -> dict[str, Part]:
    """The images of a message that was sent, by their placeholders in its text, in their order."""
    placeholders = dict.fromkeys(_IMAGE.findall(text))
    return {placeholder: Image(path) for placeholder, path in zip(placeholders, paths, strict=False)}


def is_big(text: str) -> bool:
    """Is it a paste that would fill the composer?"""
    return len(text) > MOST_CHARACTERS or text.count("\n") >= MOST_LINES


def size_words(size: int) -> str:
    """Bytes for a person."""
    if size < 1_000:
        return f"{size} B"
    return f"{size / 1_000:,.0f} KB" if size < 1_000_000 else f"{size / 1_000_000:,.1f} MB"


def _name(text: str) -> str:
    """Fit to stand in a placeholder."""
    name = _UNFIT.sub("_", text.replace("#", "_"))
    return name if len(name) <= NAME_LENGTH else f"{name[: NAME_LENGTH - 1]}…"
