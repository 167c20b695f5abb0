"""A command that a person runs beside a conversation, and what it said. Pure."""

from __future__ import annotations

from tui.transcript import ansi, safe

KEPT = 1_000_000
"""Characters of output that are kept; beyond them its beginning and its end."""


class CommandRun:
    """`code` None while it runs; `problem` where it could not be run."""

    def __init__(self, line: str, began: float = 0.0) -> None:
        """`began`: when, on a clock that only goes on."""
        self.line = line
        self.began = began
        self.code: int | None = None
        self.problem = ""
        self.cut = False
        self._head: list[str] = []
        self._kept = 0
        self._tail = ""

    @property
    def over(self) -> bool:
        return self.code is not None or bool(self.problem)

    @property
    def tail(self) -> str:
        """The end of what it said, for a pane: as it came."""
        return self._tail

    def add(self, text: str) -> None:
        """It said more."""
        room = KEPT - self._kept
        if room > 0:
            self._head.append(text[:room])
            self._kept += min(len(text), room)
        self.cut = self.cut or len(text) > max(room, 0)
        self._tail = (self._tail + text)[-8_000:]

    def output(self) -> str:
        """What it said, without the terminal's language."""
        text = ansi.plain("".join(self._head)).rstrip("\n")
        return f"{text}\n… (more was said)" if self.cut else text

    def told(self) -> str:
        """For Codex: the command, what it said, how it ended."""
        end = self.problem or f"exit code {self.code}"
        output = safe.copyable(self.output())
        fence = "```" if "```" not in output else "~~~~~~"
        return (
            f"I ran `{self.line}` ({end}):\n{fence}\n{output}\n{fence}"
            if output
            else f"I ran `{self.line}` ({end})."
        )
