"""Documents, who owns them, and what a conversation does with them. Pure.

What is in a document is hostile text: `clean_text` takes out what is no text before it is kept, and
nothing in it is ever markup or a command to us.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.errors import InvalidRequest

NAME_AT_MOST = 300
TITLE_AT_MOST = 200
TEXT_AT_MOST = 512 * 1024
"""Characters."""

_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_NO_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$", re.MULTILINE)


class OwnerKind(StrEnum):
    AGENT = "agent"
    WORKSPACE = "workspace"
    CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True)
class Owner:
    """Whom a document belongs to: everyone who uses the agent, a workspace, or one conversation."""

    kind: OwnerKind
    id: str


@dataclass(frozen=True, slots=True)
class Visible:
    """The owners whose documents a conversation sees."""

    conversation: Owner
    workspace: Owner
    agent: Owner

    @classmethod
    def to(cls, conversation_id: str, workspace_id: str, agent_id: str = "codex") -> Visible:
        return cls(
            Owner(OwnerKind.CONVERSATION, conversation_id),
            Owner(OwnerKind.WORKSPACE, workspace_id),
            Owner(OwnerKind.AGENT, agent_id),
        )

    @property
    def owners(self) -> tuple[Owner, ...]:
        """The nearest first."""
        return self.conversation, self.workspace, self.agent


class Origin(StrEnum):
    """Who wrote a document. One that comes from a file follows the file and is not written otherwise."""

    PERSON = "person"
    MODEL = "model"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document without its text. `name` is unique under its owner; `characters` is the text's length.

    `path` is the file it comes from, "" for one that was written. `pinned`: put before every prompt.
    """

    id: int
    owner: Owner
    name: str
    title: str
    origin: Origin
    path: str
    pinned: bool
    characters: int
    updated_at_ms: int


@dataclass(frozen=True, slots=True)
class Document:
    info: DocumentInfo
    text: str


@dataclass(frozen=True, slots=True)
class DocumentDraft:
    """A document to be kept, checked. `pinned` None leaves it as it is, and a new one unpinned."""

    owner: Owner
    name: str
    title: str
    text: str
    origin: Origin
    pinned: bool | None = None

    @classmethod
    def checked(
        cls,
        owner: Owner,
        name: str,
        text: str,
        *,
        title: str = "",
        origin: Origin = Origin.PERSON,
        pinned: bool | None = None,
    ) -> DocumentDraft:
        """Cleaned; without a title it gets its first heading. Raises InvalidRequest for a bad name or size."""
        if not is_name(name):
            raise InvalidRequest("The document's name cannot be used", why=NAME_RULE, todo="Choose another.")
        if len(text) > TEXT_AT_MOST:
            raise InvalidRequest(
                f"The document {name} is too long",
                why=f"it has {len(text)} characters, and {TEXT_AT_MOST} are kept at most",
                todo="Split it.",
            )
        text = clean_text(text)
        return cls(owner, name, clean_line(title) or title_of(text) or name, text, origin, pinned)


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found, with a passage of it; `marks` are the (start, end) of the words found there.

    `score` orders the hits of one search: the smaller the better.
    """

    info: DocumentInfo
    snippet: str
    marks: tuple[tuple[int, int], ...]
    score: float


@dataclass(frozen=True, slots=True)
class Import:
    """A Markdown file or a folder of them whose documents follow the files.

    `path` is absolute; `label` the name of its document, or what the names of its documents begin with.
    """

    id: int
    owner: Owner
    path: str
    label: str


@dataclass(frozen=True, slots=True)
class FileText:
    """What a file of an import says. `stamp` tells whether it changed since; "" where that cannot be told."""

    name: str
    path: str
    title: str
    text: str
    stamp: str


@dataclass(frozen=True, slots=True)
class Written:
    """What became of documents that follow files: `refused` are names that other documents have."""

    changed: bool
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that makes no document, and why. `path` is inside the import; "" for the import itself."""

    path: str
    reason: str


class KnowledgeMode(StrEnum):
    """What is put before a prompt: nothing, the pinned documents, or those and the ones that match it."""

    OFF = "off"
    PINNED = "pinned"
    MATCHING = "matching"


@dataclass(frozen=True, slots=True)
class KnowledgePolicy:
    """`budget_tokens` bounds all that is put in; `forget_on_close`: a closed conversation's documents go."""

    mode: KnowledgeMode = KnowledgeMode.PINNED
    budget_tokens: int = 4_000
    forget_on_close: bool = False


NAME_RULE = f"a name is one line of 1 to {NAME_AT_MOST} characters without space around it"


def is_name(name: str) -> bool:
    """Whether a document can be called so."""
    return 0 < len(name) <= NAME_AT_MOST and name == name.strip() and not _NO_LINE.search(name)


def clean_text(text: str) -> str:
    """The text with � for each character that is none: controls but tab and line ends, lone surrogates."""
    return _NO_TEXT.sub("�", text)


def clean_line(text: str, at_most: int = TITLE_AT_MOST) -> str:
    """One line of it, without what would break or turn a line round."""
    return _NO_LINE.sub(" ", text).strip()[:at_most]


def title_of(text: str) -> str:
    """The first heading of a Markdown text; "" where it has none near its beginning."""
    heading = _HEADING.search(text[:4096])
    return clean_line(heading[1]) if heading else ""
