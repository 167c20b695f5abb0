"""What an image file is, from its first bytes: its kind and its size in pixels. Nothing of it is decoded."""

from __future__ import annotations

import os
import stat
import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

HEAD = 65_536
"""Bytes that are read of a file."""

MOST_BYTES = 32_000_000
MOST_PIXELS = 32_000_000
"""What is larger is not decoded; a decoded pixel takes four bytes."""

_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The markers of JPEG that say how large the image is."""


@dataclass(frozen=True, slots=True)
class Picture:
    """`kind` as in "PNG"; `width` and `height` in pixels; `size` in bytes; `changed_ns`: its time of change."""

    kind: str
    width: int
    height: int
    size: int
    changed_ns: int

    @property
    def can_be_drawn(self) -> bool:
        """Is it of a size that is decoded?"""
        return self.size <= MOST_BYTES and 0 < self.width * self.height <= MOST_PIXELS


def picture_now(path: str) -> Picture | None:
    """As `picture_at`, but a file that did not change is not read again."""
    try:
        about = Path(path).stat() if path.startswith("/") else None
    except (OSError, ValueError):
        return None
    return None if about is None else _kept(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=256)
def _kept(path: str, _changed_ns: int, _size: int) -> Picture | None:
    return picture_at(path)


def picture_at(path: str) -> Picture | None:
    """The image at an absolute path; None where there is no file that can be read, or it is no image."""
    if not path.startswith("/") or "\0" in path:
        return None
    try:
        # A pipe or a device that somebody named must not be waited for.
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        found = os.fstat(number)
        head = os.read(number, HEAD) if stat.S_ISREG(found.st_mode) else b""
    except OSError:
        return None
    finally:
        os.close(number)
    measured = measure(head)
    return None if measured is None else Picture(*measured, found.st_size, found.st_mtime_ns)


def measure(head: bytes) -> tuple[str, int, int] | None:
    """Kind, width and height from an image's first bytes; None for what is no image we know."""
    try:
        return _png(head) or _gif(head) or _webp(head) or _bmp(head) or _jpeg(head)
    except (struct.error, IndexError):
        return None


def _png(head: bytes) -> tuple[str, int, int] | None:
    if not head.startswith(b"\x89PNG\r\n\x1a\n") or head[12:16] != b"IHDR":
        return None
    return ("PNG", *struct.unpack(">II", head[16:24]))


def _gif(head: bytes) -> tuple[str, int, int] | None:
    if not head.startswith((b"GIF87a", b"GIF89a")):
        return None
    return ("GIF", *struct.unpack("<HH", head[6:10]))


def _bmp(head: bytes) -> tuple[str, int, int] | None:
    if not head.startswith(b"BM"):
        return None
    width, height = struct.unpack("<ii", head[18:26])
    return "BMP", abs(width), abs(height)


def _webp(head: bytes) -> tuple[str, int, int] | None:
    if head[:4] != b"RIFF" or head[8:12] != b"WEBP":
        return None
    match head[12:16]:
        case b"VP8 ":
            width, height = struct.unpack("<HH", head[26:30])
            return "WebP", width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            (bits,) = struct.unpack("<I", head[21:25])
            return "WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            width, height = (int.from_bytes(head[at : at + 3], "little") + 1 for at in (24, 27))
            return "WebP", width, height
        case _:
            return None


def _jpeg(head: bytes) -> tuple[str, int, int] | None:
    """Its segments, up to the one with the size."""
    if not head.startswith(b"\xff\xd8"):
        return None
    position = 2
    while position < len(head):
        if head[position] != 0xFF:
            return None
        marker = head[position + 1]
        if marker in _JPEG_SIZES:
            height, width = struct.unpack(">HH", head[position + 5 : position + 9])
            return "JPEG", width, height
        (length,) = struct.unpack(">H", head[position + 2 : position + 4])
        position += 2 + length
    return None
