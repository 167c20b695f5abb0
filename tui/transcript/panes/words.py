"""Status and time in words: a state is never told by colour alone."""

from __future__ import annotations

from core.agent.items import Status
from tui.transcript.rows import Runs

_STATES: dict[Status, tuple[str, str, str]] = {
    Status.RUNNING: ("◌", "running", "accent"),
    Status.DONE: ("✓", "done", "success"),
    Status.FAILED: ("✗", "failed", "error"),
    Status.DECLINED: ("⊘", "declined", "warning"),
    Status.CUT: ("‥", "cut off", "warning"),
}


def state(status: Status, *, said: str = "", duration_ms: int | None = None) -> Runs:
    """A glyph, a word (`said` in its place where that is known better) and how long it took."""
    glyph, word, look = _STATES[status]
    text = f"{glyph} {said or word}"
    if duration_ms is None:
        return ((text, (look,)),)
    return (text, (look,)), (f" · {duration(duration_ms)}", ("muted",))


def asked(status: Status) -> Runs:
    """In place of the state of something that begins when a person has decided; () once it is over."""
    return (("? waits for you", ("warning",)),) if status is Status.RUNNING else ()


def duration(milliseconds: int) -> str:
    """0.4 s, 12 s, 3 min 04 s, 2 h 07 min."""
    seconds = milliseconds / 1000
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def size(count: int) -> str:
    """812 bytes, 48 kB, 3.1 MB."""
    if count < 1_000:
        return f"{count} bytes"
    kilobytes = count / 1_000
    return f"{kilobytes:.0f} kB" if kilobytes < 1_000 else f"{kilobytes / 1_000:.1f} MB"


def count(number: int, one: str, many: str = "") -> str:
    """1 file, 3 files."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
