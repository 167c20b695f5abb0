"""Image files that are somebody else's: what can be decoded is, and nothing else does harm."""

from __future__ import annotations

import os
import struct
import time
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from rich.segment import Segment

from tui.transcript.raster import picture_rows

GROUND = (0, 0, 0)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def rows(path: Path, data: bytes, columns: int = 20, most: int = 10) -> tuple[tuple[Segment, ...], ...]:
    path.write_bytes(data)
    return picture_rows(str(path), columns, most, GROUND)


def ground_of(segment: Segment) -> tuple[int, ...]:
    assert segment.style is not None and segment.style.bgcolor is not None
    assert segment.style.bgcolor.triplet is not None
    return tuple(segment.style.bgcolor.triplet)


def png_saying(width: int, height: int, data: bytes = b"") -> bytes:
    """A PNG with a header that says so, and whatever data."""
    body = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", body), (b"IDAT", zlib.compress(data)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part))
        for kind, part in chunks
    )


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_every_kind_that_is_named_is_decoded(tmp_path: Path, kind: str) -> None:
    found = rows(tmp_path / "a", saved(Image.new("RGB", (40, 40), (200, 100, 0)), kind))
    assert len(found) == 10
    assert {sum(len(text) for text, _, _ in row) for row in found} == {20}
    assert ground_of(found[0][0]) == pytest.approx((200, 100, 0), abs=3)


@pytest.mark.parametrize(
    ("image", "colour"),
    [
        (Image.new("RGBA", (4, 4), (255, 255, 255, 0)), (0, 0, 0)),
        (Image.new("RGBA", (4, 4), (200, 0, 0, 128)), (100, 0, 0)),
        (Image.new("LA", (4, 4), (200, 128)), (100, 100, 100)),
        (Image.new("1", (4, 4), 1), (255, 255, 255)),
        (Image.new("I;16", (4, 4), 0x8000), (128, 128, 128)),
        (Image.new("RGB", (4, 4), (9, 9, 9)).quantize(2), (9, 9, 9)),
    ],
    ids=["clear", "half clear", "grey and clear", "black and white", "16 bits", "palette"],
)
def test_pixels_of_every_sort_become_colours(
    tmp_path: Path, image: Image.Image, colour: tuple[int, int, int]
) -> None:
    assert ground_of(rows(tmp_path / "a", saved(image, "PNG"))[0][0]) == pytest.approx(colour, abs=1)


def test_a_transparent_edge_does_not_take_the_colour_below_it(tmp_path: Path) -> None:
    """A clear pixel has a colour too: it must not be mixed in when the picture is made smaller."""
    image = Image.new("RGBA", (2, 4), (0, 255, 0, 0))
    image.paste((255, 0, 0, 255), (0, 0, 1, 4))
    (row,) = rows(tmp_path / "a", saved(image, "PNG"), columns=1, most=1)
    red, green, blue = ground_of(row[0])
    assert red == pytest.approx(128, abs=1)
    assert (green, blue) == (0, 0)


def test_of_an_animation_the_first_image_is_shown(tmp_path: Path) -> None:
    red, blue = Image.new("RGB", (4, 4), (255, 0, 0)), Image.new("RGB", (4, 4), (0, 0, 255))
    data = saved(red, "GIF", save_all=True, append_images=[blue] * 50)
    assert ground_of(rows(tmp_path / "a", data)[0][0]) == (255, 0, 0)


def test_a_photograph_stands_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = saved(Image.new("RGB", (80, 40)), "JPEG", exif=exif)
    found = rows(tmp_path / "a", data)
    assert (sum(len(text) for text, _, _ in found[0]), len(found)) == (10, 10)


@pytest.mark.parametrize(
    "data",
    [
        saved(Image.effect_noise((200, 200), 90), "PNG")[:9_000],
        saved(Image.effect_noise((200, 200), 90), "JPEG")[:2_000],
        saved(Image.effect_noise((200, 200), 90), "GIF")[:40],
        png_saying(60_000, 60_000),
        png_saying(5_000, 5_000),
        png_saying(0, 4),
        b"#!/bin/sh\n",
        b"",
        b"\x89PNG\r\n\x1a\n" + b"\xff" * 5_000,
        b"BM" + struct.pack("<IHHIIii", 0, 0, 0, 54, 40, 1 << 30, -(1 << 31)) + b"\0" * 40,
        b"GIF89a" + struct.pack("<HH", 60_000, 60_000) + b"\0" * 40,
        b"RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff" + b"\0" * 40,
    ],
    ids=[
        "cut PNG",
        "cut JPEG",
        "cut GIF",
        "60,000 × 60,000",
        "no data",
        "no width",
        "script",
        "empty",
        "noise",
        "huge BMP",
        "huge GIF",
        "huge WebP",
    ],
)
def test_what_is_broken_or_too_large_is_no_picture_and_soon_told(tmp_path: Path, data: bytes) -> None:
    begin = time.process_time()
    assert rows(tmp_path / "a", data) == ()
    assert time.process_time() - begin < 5


def test_a_header_that_says_less_than_pillow_finds_is_not_believed(tmp_path: Path) -> None:
    """The first size marker of a JPEG is read by us, the last by the decoder."""
    small = saved(Image.new("RGB", (8, 8)), "JPEG")
    at = small.index(b"\xff\xc0")
    huge = bytearray(small[at : at + 19])
    huge[5:9] = struct.pack(">HH", 60_000, 60_000)
    assert rows(tmp_path / "a", small[: at + 19] + bytes(huge) + small[at + 19 :]) == ()


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(saved(Image.new("RGB", (4, 4)), "PNG"))
    os.truncate(path, 40_000_000)
    assert picture_rows(str(path), 20, 10, GROUND) == ()


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", ".", "none"):
        assert picture_rows(str(tmp_path / name), 20, 10, GROUND) == ()
