"""A patch: for each file its diff with line numbers and counts; a huge one is folded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from core.agent.items import Change, FileChange, Status
from tui.transcript import cells, safe
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, diff_rows, diffs, frames, words
from tui.transcript.reading import Changed
from tui.transcript.rows import Runs, Styler, width_of

FOLD_LINES = 24
"""Lines shown of a whole patch until it is unfolded."""

MAX_LINES = 4_000
MIN_PATH = 12

_VERBS = {"add": ("Add", "Added"), "delete": ("Delete", "Deleted"), "update": ("Edit", "Edited")}


def draw(changed: Changed, width: int, styler: Styler, folded: bool | None) -> Drawn:
    change = changed.change
    counts = [diffs.counts(file) for file in change.changes]
    state = words.asked(change.status) if changed.asked else ()
    state = state or words.state(change.status, said=_said(change))
    box = frames.Box(width, styler, _title(change, counts, frames.title_room(width, state)), state)
    total = sum(_length(file) for file in change.changes)
    foldable = total > FOLD_LINES + 4
    folded = foldable and folded is not False
    room = FOLD_LINES if folded else MAX_LINES
    for index, file in enumerate(change.changes):
        if len(change.changes) > 1:
            if index:
                box.divide()
            numbers = _count_runs(*counts[index])
            box.inside.edge((), _file_title(file, box.inside.width - width_of(numbers) - 2), numbers)
        room -= _draw_file(file, box.inside, room)
    frames.notes(changed.notes, box.inside)
    if changed.remark:
        for line in changed.remark.rstrip("\n").split("\n"):
            box.inside.text([(line, ("warning",))])
    hidden = max(0, total - (FOLD_LINES if folded else MAX_LINES))
    box.close(right=frames.fold_hint(hidden, "lines", folded=folded) if foldable else ())
    return box.canvas, folded if foldable else None


def _said(change: FileChange) -> str:
    return {Status.RUNNING: "proposed", Status.DONE: "applied", Status.FAILED: "not applied"}.get(
        change.status, ""
    )


def _title(change: FileChange, counts: Sequence[tuple[int, int]], room: int) -> Runs:
    added, removed = sum(count[0] for count in counts), sum(count[1] for count in counts)
    numbers = (("  ", ()), *_count_runs(added, removed))
    if len(change.changes) == 1:
        mark: Runs = (("± ", ("accent",)),)
        room -= width_of(mark) + width_of(numbers)
        return (*mark, *_file_title(change.changes[0], room, done=change.status is Status.DONE), *numbers)
    what = words.count(len(change.changes), "file")
    return (("± ", ("accent",)), (f"Edit {what}" if change.changes else "No files", ("title",)), *numbers)


def _file_title(file: Change, room: int, *, done: bool = False) -> Runs:
    """What is done to which file; of a path for which there is no room, the end."""
    verb = _VERBS[file.verb][done] + " "
    path = safe.line(file.path if file.move_path is None else f"{file.path} → {file.move_path}")
    return ((verb, ("title",)), (cells.tail(path, max(MIN_PATH, room - len(verb))), ("path",)))


def _count_runs(added: int, removed: int) -> Runs:
    return ((f"+{added:,}", ("added-number",)), (" ", ()), (f"−{removed:,}", ("removed-number",)))


def _length(file: Change) -> int:
    return file.diff.count("\n") + (not file.diff.endswith("\n"))


def _draw_file(file: Change, canvas: Canvas, room: int) -> int:
    """Draw at most `room` lines; how many were drawn."""
    shown = list(islice(diffs.lines(file), max(0, room)))
    if not shown:
        return 0
    diff_rows.draw(file, shown, canvas)
    return len(shown)
