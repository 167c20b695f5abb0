"""What the operations give back, as frozen values. Pure, and light to import."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RevertPlan:
    """What going back would take out: the boxes `first` to `last`, with `messages` of the person's.

    `turn_id` is the first turn that goes ("" where Codex has none of it), `text` the first message that goes.
    """

    turn_id: str
    first: int
    last: int
    text: str
    messages: int


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file of the working tree that is not as it was committed.

    `kind`: add, delete, update. `diff`: hunks without a file header for update, else the content; "" with the
    reason in `left_out` where it is not text or too large.
    """

    path: str
    kind: str
    diff: str
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class WorkingTree:
    """What is changed in a folder since the last commit. `cut`: how many files are left out."""

    files: tuple[ChangedFile, ...]
    cut: int = 0
