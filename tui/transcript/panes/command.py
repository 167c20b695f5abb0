"""A command: its line, where it ran, what it prints, how it ended."""

from __future__ import annotations

import re
import shlex

from core.agent.items import CommandRun, Status
from tui.transcript.panes import Drawn, frames, output, words
from tui.transcript.reading import Ran
from tui.transcript.rows import Runs, Styler

_SHELL = re.compile(r"(?:/\S*/)?(?:ba|z|da)?sh -l?c ")

TITLE_LINES = 12
"""Lines of a long command that are shown before it is unfolded."""


def draw(ran: Ran, width: int, styler: Styler, folded: bool | None) -> Drawn:
    run = ran.run
    command = script_of(run.command)
    lines = command.rstrip("\n").split("\n")
    box = frames.Box(width, styler, _title(lines[0]), _state(run))
    cut = len(lines) > 1 or len(lines[0]) > box.canvas.width - 30
    foldable = cut or output.foldable(ran.output)
    folded = foldable and folded is not False
    if cut:
        _whole_command(lines, box, folded=folded)
    frames.notes(ran.notes, box.inside)
    hidden = output.draw(ran.output, box.inside, folded=folded)
    if not ran.output and run.status is Status.DONE:
        box.inside.rule([("(no output)", ("muted",))])
    hint: Runs = ()
    if foldable:
        hint = frames.fold_hint(hidden, "lines", folded=folded) if hidden or not folded else _MORE
    box.close(((run.cwd, ("path",)),) if run.cwd else (), hint)
    return box.canvas, folded if foldable else None


_MORE: Runs = (("▸ show all", ("accent", frames.FOLD_TAP)),)


def script_of(command: str) -> str:
    """What a command runs, without the shell that Codex wraps around it."""
    if _SHELL.match(command):
        try:
            words_of = shlex.split(command)
        except ValueError:
            return command
        if len(words_of) == 3:
            return words_of[2]
    return command


def _title(first_line: str) -> Runs:
    return (("$ ", ("accent",)), (first_line, ("command",)))


def _whole_command(lines: list[str], box: frames.Box, *, folded: bool) -> None:
    """A command that its title cannot hold, below it."""
    shown = lines[:TITLE_LINES] if folded else lines
    for number, line in enumerate(shown):
        margin: Runs = (("$ " if number == 0 else "  ", ("muted",)),)
        box.inside.text([(line, ("command",))], margin=margin, rest=(("  ", ()),), hard=True)
    if len(shown) < len(lines):
        box.inside.rule([(f"  … {len(lines) - len(shown):,} lines", ("muted",))])
    box.divide()


def _state(run: CommandRun) -> Runs:
    ended = run.status in (Status.DONE, Status.FAILED) and run.exit_code is not None
    said = f"exit {run.exit_code}" if ended else ""
    if run.source == "userShell" and run.status is Status.RUNNING:
        said = "running for you"
    return words.state(run.status, said=said, duration_ms=run.duration_ms)
