"""What goes into the index, and what it says is left to do. Pure. Times are Unix milliseconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.sessions.model import Kind, SessionState

PAGE_OF_TEXTS = 200
"""Texts that go into one transaction at most."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text to be found. Within a session, `item_id` and `kind` are its identity.

    `cut`: it was too long, and its middle is left out.
    """

    kind: Kind
    text: str
    item_id: str
    turn_id: str = ""
    at_ms: int = 0
    box_id: int | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    """What is known of a thread without its contents.

    `listed`: Codex lists it. `readable` False: neither Codex nor we can read it, and `why` says why; a `why`
    on a readable one says why Codex does not have it.
    """

    thread_id: str
    name: str
    preview: str
    folder: str
    branch: str
    source: str
    model: str
    provider: str
    created_at_ms: int
    updated_at_ms: int
    archived: bool
    parent_id: str | None = None
    forked_from_id: str | None = None
    rollout: str = ""
    rollout_bytes: int = 0
    listed: bool = True
    readable: bool = True
    why: str = ""


@dataclass(frozen=True, slots=True)
class ConversationFacts:
    """A conversation of ours as the database has it. `recency` grows with every change of any."""

    conversation_id: str
    thread_id: str | None
    title: str
    folder: str
    created_at_ms: int
    updated_at_ms: int
    last_state: str
    recency: int
    closed: bool


@dataclass(frozen=True, slots=True)
class Marks:
    """What a person attached to a session, under its key."""

    key: str
    pinned: bool
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unread:
    """A session whose contents are not all in the index.

    `stamp` is what they will be when this reading ends; `cursor` where an earlier reading was cut short;
    `begun`: some of it is there already, so that only what is new has to be read.
    """

    session: int
    thread_id: str
    rollout: str
    listed: bool
    stamp: str
    cursor: str | None
    begun: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a reading of a thread's contents is: where to go on, or that it is whole as of `stamp`."""

    cursor: str | None = None
    stamp: str | None = None


@dataclass(frozen=True, slots=True)
class BoxMark:
    """The records of a conversation up to `seq` are in the index; `bytes` is what these take on disk."""

    seq: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Counts:
    """`unread` of `sessions` still have contents to be read."""

    sessions: int
    unread: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What sessions are doing now, by thread and conversation id; every other is as the index has it."""

    states: Mapping[str, SessionState] = field(default_factory=dict[str, SessionState])
    pending: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Listed:
    """A thread in Codex's list."""

    archived: bool
    source: str
    sub_agent: bool
    rollout: str
