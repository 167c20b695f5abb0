"""What the session browser asks for and gets, as frozen values. Pure, and light to import.

A session is a Codex thread, a conversation of ours, or both. Times are Unix milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Pieces = tuple[tuple[str, bool], ...]
"""A text in pieces, each with whether it is a hit. What others wrote: made safe only when it is shown."""


class SessionState(StrEnum):
    NEEDS_YOU = "needs you"
    RUNNING = "running"
    STALLED = "stalled"
    IDLE = "idle"
    UNREADABLE = "unreadable"


class Sort(StrEnum):
    """Pinned sessions come first in every order but that by relevance."""

    RECENT = "recent"
    OLDEST = "oldest"
    TITLE = "title"
    SIZE = "size"
    RELEVANCE = "relevance"


class Kind(StrEnum):
    """What a text in the index is of."""

    TITLE = "title"
    FOLDER = "folder"
    USER = "user"
    ASSISTANT = "assistant"
    REASONING = "reasoning"
    PLAN = "plan"
    COMMAND = "command"
    OUTPUT = "output"
    FILES = "files"
    TOOL = "tool"
    SEARCH = "search"
    DECISION = "decision"
    NOTICE = "notice"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """One session. `key` finds it again: its thread's id, and before there is one its conversation's.

    `source` is Codex's word for who began it (cli, exec, vscode, appServer, …), or "quarterdeck". `turns`, `items` and `bytes` (its rollout file and our records of it)
    are what is known so far; they grow while the index is built. `rollout` is its file. `why` says in a
    sentence why it cannot be read, or only be read; "" where nothing is in the way.
    """

    key: str
    thread_id: str | None
    conversation_id: str | None
    title: str
    preview: str
    folder: str
    branch: str
    source: str
    model: str
    provider: str
    created_at_ms: int
    updated_at_ms: int
    archived: bool = False
    state: SessionState = SessionState.IDLE
    pending: int = 0
    turns: int = 0
    items: int = 0
    bytes: int = 0
    tags: tuple[str, ...] = ()
    pinned: bool = False
    has_changes: bool = False
    parent_id: str | None = None
    forked_from_id: str | None = None
    rollout: str = ""
    why: str = ""

    @property
    def readable(self) -> bool:
        return self.state is not SessionState.UNREADABLE


@dataclass(frozen=True, slots=True)
class SessionQuery:
    """What to list. None (and "" for text) filters nothing; `archived` None lists both.

    In `text` all words have to be found in one place of a session, or its title: `"a phrase"` in that order,
    `wor*` by its beginning, and so the last word, which may still be typed. `since_ms` and `until_ms` are of
    the last change. Without `sub_agents`, threads that another thread began are left out of a listing
    without text. `sort` None: by relevance where there is text, else the most recent first.
    """

    text: str = ""
    folder: str | None = None
    state: SessionState | None = None
    source: str | None = None
    model: str | None = None
    branch: str | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    archived: bool | None = False
    has_changes: bool | None = None
    tag: str | None = None
    pinned: bool | None = None
    sub_agents: bool = False
    sort: Sort | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """Where the text was found. `box_id` None: the box is not here yet (the thread was not opened here)."""

    kind: Kind
    at_ms: int
    box_id: int | None
    item_id: str
    pieces: Pieces


@dataclass(frozen=True, slots=True)
class SessionMatch:
    """`hits`: the best few, best first; none for a listing without text."""

    entry: SessionEntry
    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionsPage:
    """`total` sessions match. `cursor` asks for the page after this one; None on the last."""

    matches: tuple[SessionMatch, ...]
    total: int
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Facet:
    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """What there is to filter by, each with how many sessions it has, the largest first.

    `sessions` counts all of them, `archived` those that are; the others leave archived ones out.
    """

    folders: tuple[Facet, ...] = ()
    sources: tuple[Facet, ...] = ()
    models: tuple[Facet, ...] = ()
    branches: tuple[Facet, ...] = ()
    tags: tuple[Facet, ...] = ()
    sessions: int = 0
    archived: int = 0


class IndexPhase(StrEnum):
    """What the index is doing. `WAITING`: for Codex, or for another console that builds the index."""

    WAITING = "waiting"
    LISTING = "listing"
    READING = "reading"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` sessions are read; `note` is one sentence for the person, or ""."""

    phase: IndexPhase = IndexPhase.WAITING
    done: int = 0
    total: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class SessionItem:
    """One text of a session, in its order, for the preview.

    `place` is its number in the session: give it as `around`, or go on from it. `cut`: the middle of a
    long output is left out of the index.
    """

    place: int
    kind: Kind
    at_ms: int
    turn_id: str
    item_id: str
    box_id: int | None
    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """A session that is not the same for Codex, on disk and in our database, and why (one sentence)."""

    thread_id: str
    rollout: str
    listed: bool
    on_disk: bool
    known: bool
    why: str
    wrong: bool = False
    """Whether something should be done about it; most differences are as they should be."""
