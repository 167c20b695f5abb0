"""What image files go to Codex with a message. Pure.

Codex 0.163 takes files of every size, makes what is larger than 2,048 pixels smaller, and sends the rest as it is;
of a file that it cannot decode it tells the model so, and nobody else.
"""

from __future__ import annotations

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
BEGINNING = 16
"""Bytes that tell the kind."""

MOST_BYTES = 50_000_000
"""As much as the provider takes in a request."""

_BEGINNINGS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")


def objection(beginning: bytes, size: int) -> str:
    """Why a file that begins so and has so many bytes cannot go along; "" where it can."""
    webp = beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP"
    if not webp and not beginning.startswith(_BEGINNINGS):
        return "it is no image that Codex takes (PNG, JPEG, GIF or WebP)"
    if size > MOST_BYTES:
        return f"it has {size / 1_000_000:,.1f} MB, and at most {MOST_BYTES // 1_000_000} can go along"
    return ""
