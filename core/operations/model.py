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
