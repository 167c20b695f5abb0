"""The changed files, of this turn and of the working tree, as a list that is gone through. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from textual.content import Content

from tui.inspector.diff import FileDiff
from tui.inspector.following import Seen
from tui.inspector.git import TreeFile
from tui.transcript import safe

NO_TURN = "Nothing changed in this turn."
CLEAN = "Nothing changed since the last commit."
NO_REPOSITORY = "This folder is in no git repository: what changes in it cannot be told here."
READING = "Looking…"
NOT_WATCHED = "Too large to be watched: read again after each turn, and when you ask for it."


class Row(NamedTuple):
    """`id` "" for what cannot be opened."""

    id: str
    content: Content


def change_rows(turn: Sequence[FileDiff], seen: Seen | None, branch: str) -> Iterator[Row]:
    """First what this turn changed, then the working tree. Ids are `turn:N` and `tree:N`."""
    yield _heading("This turn", _total((file.added, file.removed) for file in turn))
    for index, file in enumerate(turn):
        mark = {"add": "A", "delete": "D", "update": "M"}[file.verb]
        yield Row(f"turn:{index}", _file(mark, file.path, file.added, file.removed))
    if not turn:
        yield _quiet(NO_TURN)
    yield Row("", Content(""))
    tree = seen.tree if seen is not None else None
    counted = [(file.added or 0, file.removed or 0) for file in tree.files] if tree else []
    yield _heading(f"Working tree{f' ⎇ {safe.line(branch, 30)}' if branch else ''}", _total(counted))
    if seen is None:
        yield _quiet(READING)
    elif seen.problem:
        yield Row("", Content.styled(safe.line(seen.problem), "$warning"))
    elif tree is None:
        yield _quiet(NO_REPOSITORY)
    else:
        yield from _tree(tree.files, tree.more, watched=seen.watched)


def _tree(files: Sequence[TreeFile], more: int, *, watched: bool) -> Iterator[Row]:
    for index, file in enumerate(files):
        mark = "M" if file.tracked else "?"
        yield Row(f"tree:{index}", _file(mark, file.path, file.added, file.removed))
    if not files:
        yield _quiet(CLEAN)
    if more:
        yield _quiet(f"and {more:,} more")
    if not watched:
        yield _quiet(NOT_WATCHED)


def _heading(name: str, total: Content) -> Row:
    return Row("", Content.styled(name, "bold $primary") + total)


def _quiet(text: str) -> Row:
    return Row("", Content.styled(text, "$foreground 60%"))


def _file(mark: str, path: str, added: int | None, removed: int | None) -> Content:
    looks = {"A": "$success", "?": "$success", "D": "$error"}.get(mark, "$accent")
    counts = "" if mark == "?" else "  binary" if added is None or removed is None else None
    if counts is None:
        return Content.assemble(
            (f"{mark} ", looks), safe.line(path), (f"  +{added}", "$success"), (f" −{removed}", "$error")
        )
    return Content.assemble((f"{mark} ", looks), safe.line(path), (counts, "$foreground 60%"))


def _total(counts: Iterable[tuple[int, int]]) -> Content:
    pairs = list(counts)
    if not pairs:
        return Content("")
    files = f"  {len(pairs)} file{'s' if len(pairs) != 1 else ''}"
    added, removed = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
    return Content.assemble(
        (files, "$foreground 60%"), (f"  +{added:,}", "$success"), (f" −{removed:,}", "$error")
    )
