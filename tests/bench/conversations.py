"""Conversations to measure with: 40 % messages, 40 % commands, 20 % notices; and text that streams."""

from __future__ import annotations

import random

from core.thread.boxes import ChatBox
from tests.tui.transcript.gallery import Log

WORDS = [
    "the",
    "tide",
    "table",
    "is",
    "read",
    "again",
    "when",
    "clock",
    "moved",
    "behind",
    "harbour",
    "station",
    "height",
    "valid",
    "until",
    "cache",
    "returns",
    "before",
    "keep",
    "old",
    "one",
    "new",
    "there",
    "test",
    "passes",
    "now",
    "because",
    "of",
    "a",
    "line",
    "that",
    "was",
    "never",
    "reached",
]


def boxes(entries: int) -> list[ChatBox]:
    """About `entries` entries (a command takes two boxes), the same every time."""
    rng = random.Random(4)
    log = Log()
    for number in range(entries):
        kind = number % 5
        if kind in (0, 2):
            log.message(paragraphs(rng, 1 + number % 3))
        elif kind in (1, 3):
            output = "".join(f"{sentence(rng, 6)}\n" for _ in range(number % 9))
            log.command(f"pytest -k {rng.choice(WORDS)}", f"\x1b[32m{output}\x1b[0m")
        else:
            log.notice("info", sentence(rng, 9))
    return log.boxes


def sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(words))


def paragraphs(rng: random.Random, count: int) -> str:
    """Markdown: paragraphs with emphasis, code and links; every fourth a list."""
    parts: list[str] = []
    for number in range(count):
        if number % 4 == 3:
            parts.append("\n".join(f"- {sentence(rng, 8)} `{rng.choice(WORDS)}`" for _ in range(4)))
        else:
            parts.append(
                f"{sentence(rng, 12)} **{sentence(rng, 2)}** {sentence(rng, 14)} `{rng.choice(WORDS)}()` "
                f"{sentence(rng, 8)} [{sentence(rng, 2)}](https://example.org/{number})."
            )
    return "\n\n".join(parts)


def prose_deltas(count: int) -> list[str]:
    """Markdown prose in pieces of about three words, as a model streams."""
    rng = random.Random(7)
    text = paragraphs(rng, count // 12 + 2)
    return _pieces(rng, text, count)


def line_deltas(count: int) -> list[str]:
    """One paragraph on one line that never ends, in pieces of the same size."""
    rng = random.Random(8)
    text = " ".join(
        f"{sentence(rng, 12)} **{sentence(rng, 2)}** `{rng.choice(WORDS)}()`" for _ in range(count)
    )
    return _pieces(rng, text, count)


def fence_deltas(count: int) -> list[str]:
    """One code fence that never closes, in pieces of the same size."""
    rng = random.Random(9)
    lines = [
        f"    {rng.choice(WORDS)} = {rng.choice(WORDS)}({rng.randint(1, 99)})  # {sentence(rng, 4)}"
        for _ in range(count)
    ]
    return _pieces(rng, "```python\n" + "\n".join(lines), count)


def _pieces(rng: random.Random, text: str, count: int) -> list[str]:
    pieces: list[str] = []
    position = 0
    while len(pieces) < count and position < len(text):
        size = rng.randint(6, 22)
        pieces.append(text[position : position + size])
        position += size
    return pieces
