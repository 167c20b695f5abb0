"""Images that are named in what is pasted or written. Looks at the file's beginning, never trusts its name."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from core.image_files import BEGINNING, SUFFIXES, objection

LONGEST = 4_096
MOST = 20

_MENTION = re.compile(r"(?<!\S)@(?:\"([^\"\n]+)\"|(\S+))")


@dataclass(frozen=True, slots=True)
class ImageFile:
    path: str
    name: str
    size: int


class NoImage(ValueError):
    """There is none; the text says why, for the person."""


def image_file(path: Path) -> ImageFile:
    """Look at a file. Raises NoImage."""
    try:
        with path.open("rb") as file:
            beginning = file.read(BEGINNING)
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise NoImage(f"{path} cannot be attached: {reason or error}") from error
    if why := objection(beginning, size):
        raise NoImage(f"{path} cannot be attached: {why}")
    return ImageFile(str(path), path.name, size)


def pasted_images(text: str, folder: Path) -> tuple[Path, ...]:
    """The paths, where a paste is nothing but paths of images, as terminals put them in when files are dragged.

    They may be quoted, have escaped spaces, or be file: addresses; each is absolute, or begins with ~ or a dot.
    """
    text = text.strip()
    if not text or len(text) > LONGEST or not text.lower().rstrip("'\"").endswith(SUFFIXES):
        return ()
    if text.count("\n") >= MOST:
        return ()
    whole = _path(text, folder)
    if whole is not None and whole.is_file():
        return (whole,)
    paths = [_path(word, folder) for word in _words(text)]
    found = tuple(path for path in paths if path is not None and path.suffix.lower() in SUFFIXES)
    return found if len(found) == len(paths) else ()


def mentioned_images(text: str, folder: Path) -> tuple[str, ...]:
    """The paths of images that are named with an @ in a message, where they are there."""
    found: list[str] = []
    for match in _MENTION.finditer(text):
        name = match.group(1) or match.group(2)
        if name.lower().endswith(SUFFIXES):
            try:
                found.append(image_file(folder / name).path)
            except NoImage:
                continue
    return tuple(found)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _path(word: str, folder: Path) -> Path | None:
    if word.startswith("file://"):
        parts = urlsplit(word)
        return Path(unquote(parts.path)) if parts.netloc in ("", "localhost") else None
    if word.startswith(("/", "~/")):
        return Path(word).expanduser()
    return folder / word if word.startswith(("./", "../")) else None
