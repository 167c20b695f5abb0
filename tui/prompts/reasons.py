"""Why a choice does not count, and what else is said to the person. Pure; the sentences are made in `hint`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Why(Enum):
    """What needs nothing more to be said with it."""

    OUTSIDE = auto()
    """The person did not go in."""
    TOO_SOON = auto()
    UNSEEN = auto()
    """To be accepted it has to be seen whole."""
    UNKNOWN = auto()
    """This version cannot do what is offered."""
    NOTHING_MARKED = auto()
    NOTHING_WRITTEN = auto()
    CHANGED = auto()
    """It asks something else than before."""


@dataclass(frozen=True, slots=True)
class NotWhole:
    """It cannot be accepted here; `lacks` as in `Judged`."""

    lacks: str


@dataclass(frozen=True, slots=True)
class OnceMore:
    """Accepting it asks twice, as `doubt` says; `key` is that of the choice, "" for one without."""

    doubt: str
    key: str


@dataclass(frozen=True, slots=True)
class Missing:
    """What is filled in makes no answer yet."""

    what: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The decision was not taken. `what` may be in others' words."""

    what: str


Reason = Why | NotWhole | OnceMore | Missing | Failed
