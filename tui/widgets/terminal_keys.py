"""A key that Textual 8.2 does not know from terminals without the newer key protocol.

There Alt+Enter arrives as ESC CR, which is read as a plain Enter: what was to be a new line would be sent.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from enum import StrEnum
from typing import cast

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS


class ExtraKey(StrEnum):
    ALT_ENTER = "alt+enter"


def teach_terminal_keys() -> None:
    """Have Textual read it as what it is. To be called before an app runs; again is harmless."""
    known = cast("MutableMapping[str, tuple[ExtraKey, ...]]", ANSI_SEQUENCES_KEYS)
    known["\x1b\r"] = (ExtraKey.ALT_ENTER,)
