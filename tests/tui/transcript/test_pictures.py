"""What is read of an image file: enough to say what it is."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import pytest

from tui.transcript.pictures import Picture, measure, picture_at


def png(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00"
    + b"\0" * 9
    + b"\xff\xc0\x00\x11\x08"
    + struct.pack(">HH", 48, 64)
    + b"\3"
)


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (png(640, 480), ("PNG", 640, 480)),
        (b"GIF89a" + struct.pack("<HH", 3, 4), ("GIF", 3, 4)),
        (JPEG, ("JPEG", 64, 48)),
        (b"BM" + b"\0" * 16 + struct.pack("<ii", 7, -9), ("BMP", 7, 9)),
        (b"RIFF\0\0\0\0WEBPVP8X" + b"\0" * 8 + b"\x63\0\0\x31\0\0", ("WebP", 100, 50)),
        (b"RIFF\0\0\0\0WEBPVP8L" + b"\0" * 4 + b"\x2f" + struct.pack("<I", 99 | 49 << 14), ("WebP", 100, 50)),
        (b"RIFF\0\0\0\0WEBPVP8 " + b"\0" * 10 + struct.pack("<HH", 100, 50), ("WebP", 100, 50)),
        (b"#!/bin/sh\n", None),
        (b"", None),
        (png(640, 480)[:18], None),
        (b"\xff\xd8\xff\xe0", None),
    ],
    ids=lambda value: str(value)[:12],
)
def test_an_image_says_its_kind_and_size(head: bytes, found: tuple[str, int, int] | None) -> None:
    assert measure(head) == found


def test_a_file_is_read_and_what_is_none_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(2, 3) + b"x" * 100_000)
    os.mkfifo(tmp_path / "pipe")
    os.utime(path, ns=(7, 7))
    assert picture_at(str(path)) == Picture("PNG", 2, 3, len(png(2, 3)) + 100_000, 7)
    for other in (str(tmp_path / "pipe"), str(tmp_path), str(tmp_path / "none"), "relative.png", "/a\0b"):
        assert picture_at(other) is None
