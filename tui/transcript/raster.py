"""Image files decoded to pixels, with Pillow. Slow: for a thread. Imported when the first picture is wanted.

The files are somebody else's. What is too large, cut off or no image is no picture; Pillow is given the bytes
that were measured, never the path, and only the formats that the transcript names.
"""

from __future__ import annotations

import logging
import os
import stat
import warnings
from io import BytesIO

from PIL import Image, ImageOps

from tui.transcript.halfblocks import PictureRow, Rgb, fitted, rows_of
from tui.transcript.pictures import MOST_BYTES, MOST_PIXELS, measure

log = logging.getLogger(__name__)

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")

warnings.simplefilter("error", Image.DecompressionBombWarning)


def picture_rows(path: str, columns: int, rows: int, ground: Rgb) -> tuple[PictureRow, ...]:
    """The picture at an absolute path in at most so many cells, on `ground` where it is transparent.

    Of an animation its first image. () where there is no picture to be had.
    """
    try:
        data = _read(path)
        measured = measure(data) if data else None
        if measured is None or not 0 < measured[1] * measured[2] <= MOST_PIXELS:
            return ()
        with Image.open(BytesIO(data), formats=_FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                return ()
            return _drawn(image, columns, rows, ground)
    except Exception:
        # Its decoders raise what their formats can break: OSError, SyntaxError, ValueError, EOFError, struct.error…
        log.info("no picture can be made of %r", path, exc_info=True)
        return ()


def _read(path: str) -> bytes:
    """All of a file; b"" for what is none, and for one that is too large."""
    # A pipe or a device that somebody named must not be waited for.
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        about = os.fstat(number)
        if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
            return b""
        with os.fdopen(number, "rb", closefd=False) as file:
            return file.read(MOST_BYTES)
    finally:
        os.close(number)


def _drawn(image: Image.Image, columns: int, rows: int, ground: Rgb) -> tuple[PictureRow, ...]:
    # A JPEG can be decoded to an eighth of its size: that is all the work for most photographs.
    image.draft("RGB", (4 * columns, 8 * rows))
    upright = ImageOps.exif_transpose(image)
    size = fitted(upright.width, upright.height, columns, rows)
    small = _coloured(upright).resize(size, Image.Resampling.BOX, reducing_gap=2.0)
    if small.mode == "RGBA":
        under = Image.new("RGBA", size, (*ground, 255))
        small = Image.alpha_composite(under, small).convert("RGB")
    return rows_of(small.tobytes(), size[0], ground)


def _coloured(image: Image.Image) -> Image.Image:
    """In RGB, or RGBA where something is transparent."""
    if image.mode.startswith("I"):
        # Sixteen bits of grey: conversion would cut, not scale.
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")
