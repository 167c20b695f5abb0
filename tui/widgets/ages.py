"""How long ago something was. Pure."""

from __future__ import annotations

_AGES = ((60, 60, "m"), (24, 3600, "h"), (14, 86_400, "d"), (9, 604_800, "w"), (24, 2_592_000, "mo"))


LONGEST = 30
"""Years from which a time is none: nobody knows when it was."""


def age_words(ago_ms: int) -> str:
    """How long ago, in at most four cells: `now`, `5m`, `3h`, `2d`, `6w`, `8mo`, `2y`; "" where it is not known."""
    seconds = max(0, ago_ms) // 1000
    if seconds < 60:
        return "now"
    for most, unit, name in _AGES:
        if seconds // unit < most:
            return f"{max(1, seconds // unit)}{name}"
    years = seconds // 31_536_000 or 1
    return f"{years}y" if years < LONGEST else ""
