"""A command: its line as shell, where it ran, what it prints, how it ended."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from functools import lru_cache

from core.agent.items import CommandRun, Status
from tui.transcript import cells, highlight, safe
from tui.transcript.panes import Drawn, frames, output, words
from tui.transcript.reading import Ran
from tui.transcript.rows import Runs, Styler, width_of

_SHELL = re.compile(r"(?:/\S*/)?(?:ba|z|da)?sh -l?c ")

TITLE_LINES = 12
"""Lines of a long command that are shown before it is unfolded."""

LINE_ROWS = 4
"""Rows that a line of the command may take before it is unfolded."""

NAME_LIMIT = 24
PATH_MARGIN = 8
"""Cells of the lower edge that are neither path nor hint."""

_MARGIN: Runs = (("  ", ()),)
_PROMPT: Runs = (("$ ", ("accent",)),)


def draw(ran: Ran, width: int, styler: Styler, folded: bool | None) -> Drawn:
    run = ran.run
    state = (words.asked(run.status) if ran.asked else ()) or _state(run)
    script = script_of(run.command).rstrip("\n")
    lines = highlight.code_lines(script, "bash")
    title, below = _parted(lines, script, frames.title_room(width, state))
    bold: Runs = [(text, ("command", *look)) for text, look in title]
    box = frames.Box(width, styler, (*_PROMPT, *bold), state)
    room = box.inside.width
    long = len(below) > TITLE_LINES or any(_length(line) > room * LINE_ROWS for line in below)
    foldable = long or output.foldable(ran.output, room)
    folded = foldable and folded is not False
    if below:
        _below(below, box, folded=folded)
        if ran.notes or ran.output or run.status is Status.DONE:
            box.divide()
    frames.notes(ran.notes, box.inside)
    hidden = output.draw(ran.output, box.inside, folded=folded)
    if not ran.output and run.status is Status.DONE:
        box.inside.rule([("(no output)", ("muted",))])
    hint = frames.hint(hidden, "lines", folded=folded) if foldable else ()
    where = cells.tail(safe.line(run.cwd), room - width_of(hint) - PATH_MARGIN)
    box.close(((where, ("path",)),) if where else (), hint)
    return box.canvas, folded if foldable else None


@lru_cache(maxsize=256)
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


def _length(line: Runs) -> int:
    return sum(len(text) for text, _ in line)


def _parted(lines: Sequence[Runs], script: str, room: int) -> tuple[Runs, Sequence[Runs]]:
    """What stands in the title and what below it: the first line, where the title has room for it."""
    if width_of(lines[0]) <= room - width_of(_PROMPT):
        return lines[0], lines[1:]
    name = script.split(None, 1)[0] if script.strip() else ""
    return ((cells.cut(safe.line(name, NAME_LIMIT), NAME_LIMIT), ()), (" …", ("muted",))), lines


def _below(lines: Sequence[Runs], box: frames.Box, *, folded: bool) -> None:
    """What of a command its title cannot hold."""
    shown = lines[:TITLE_LINES] if folded else lines
    limit = box.inside.width * LINE_ROWS if folded else safe.LINE_LIMIT
    for line in shown:
        box.inside.text(line, margin=_MARGIN, hard=True, limit=limit)
    if len(shown) < len(lines):
        box.inside.rule([*_MARGIN, (f"… {len(lines) - len(shown):,} lines", ("muted",))])


def _state(run: CommandRun) -> Runs:
    ended = run.status in (Status.DONE, Status.FAILED) and run.exit_code is not None
    said = f"exit {run.exit_code}" if ended else ""
    if run.source == "userShell" and run.status is Status.RUNNING:
        said = "running for you"
    return words.state(run.status, said=said, duration_ms=run.duration_ms)
