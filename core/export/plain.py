"""Text that others wrote, made harmless for a file that people open and print to terminals. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_ESCAPE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_UNSEEN = re.compile(
    "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f]"
)
"""What turns text around, and what stands in it without being seen; not what joins letters or emoji."""

_PICTURES = 0x2400
_DELETE = "\x7f"


def plain(text: str) -> str:
    """Escape sequences are dropped, other control characters, and what turns text around or hides in it, are made visible."""
    text = _ESCAPE.sub("", text.replace("\r\n", "\n"))
    text = _CONTROL.sub(_picture, text)
    return _UNSEEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def line(text: str, width: int = 300) -> str:
    """As `plain`, on one line of at most `width` characters."""
    text = " ".join(plain(text[: width * 4]).split())
    return text if len(text) <= width else f"{text[: width - 1]}…"


def moment(at_ms: int) -> str:
    """A time in UTC, to the second; "" where it is not known."""
    if not at_ms:
        return ""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _picture(match: re.Match[str]) -> str:
    character = match[0]
    if character == _DELETE:
        return "␡"
    return chr(_PICTURES + ord(character)) if character < " " else f"⟨U+{ord(character):04X}⟩"
