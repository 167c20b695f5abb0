"""Titles that nobody gave. Pure."""

from __future__ import annotations

TITLE_LENGTH = 80


def title_of(text: str) -> str:
    """A title from a first message: its first line, cut at a word."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if len(line) <= TITLE_LENGTH:
        return line
    return line[:TITLE_LENGTH].rsplit(" ", 1)[0] + "…"
