"""What the terminal can do, as far as its environment tells: nothing is sent to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SMALLEST = (60, 20)
"""Columns and rows at which every screen is still usable."""

_WITH_SYNC = (
    "kitty",
    "wezterm",
    "ghostty",
    "iterm.app",
    "alacritty",
    "foot",
    "contour",
    "rio",
    "vscode",
    "tmux",
)
"""Terminals that draw a frame at once and tell when they have the focus, in their own documentation."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """`colours`: 0 for none, 8, 256 or 16,777,216. `modern` None: nobody knows this terminal."""

    name: str
    columns: int
    rows: int
    colours: int
    modern: bool | None
    remote: bool

    @property
    def enough(self) -> bool:
        return (self.columns, self.rows) >= SMALLEST and self.rows >= SMALLEST[1] and self.name != "dumb"

    @property
    def sentence(self) -> str:
        colours = {0: "no colours", 8: "8 colours", 256: "256 colours"}.get(self.colours, "true colour")
        modern = {
            True: "focus and whole frames are told",
            False: "no focus, frames may flicker",
            None: "focus and whole frames: not known of it",
        }
        parts = [self.name, f"{self.columns}×{self.rows}", colours, modern[self.modern]]
        if self.remote:
            parts.append("over SSH")
        if not self.enough:
            parts.append(f"smaller or simpler than {SMALLEST[0]}×{SMALLEST[1]}: use a larger terminal")
        return ", ".join(parts)


def abilities(env: Mapping[str, str], columns: int, rows: int) -> Abilities:
    """From the environment and the size in cells."""
    term = env.get("TERM", "dumb")
    program = "tmux" if env.get("TMUX") else env.get("TERM_PROGRAM", "").lower()
    known = program or term.removeprefix("xterm-")
    modern = True if any(known.startswith(name) for name in _WITH_SYNC) else None
    return Abilities(
        name=f"{env['TERM_PROGRAM']} ({term})" if env.get("TERM_PROGRAM") else term,
        columns=columns,
        rows=rows,
        colours=_colours(env, term),
        modern=False if term in ("dumb", "linux") else modern,
        remote=bool(env.get("SSH_CONNECTION") or env.get("SSH_TTY")),
    )


def _colours(env: Mapping[str, str], term: str) -> int:
    if env.get("NO_COLOR") or term == "dumb":
        return 0
    if env.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return 1 << 24
    return 256 if "256" in term or "direct" in term else 8
