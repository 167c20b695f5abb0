"""The items of a thread: what Codex did, one frozen value a kind.

They are pydantic models because they are kept as JSON in a box's hidden contents and read back years
later: `dump_item` and `load_item` are the only way in and out. A kind we do not know becomes
`OtherItem` and keeps what Codex sent, so nothing is dropped.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


class Frozen(BaseModel):
    """Immutable; unknown fields (from a newer Quarterdeck) are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Status(StrEnum):
    """How far an action got. `CUT` is ours: it was in flight when its turn, host or console died."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    DECLINED = "declined"
    CUT = "cut"


class Attachment(Frozen):
    """Something other than text in a user's message. `kind`: image, localImage, skill, mention…"""

    kind: str
    name: str


class UserMessage(Frozen):
    """`client_id` is what the sender gave as clientUserMessageId; None from clients that give none."""

    kind: Literal["user"] = "user"
    id: str
    text: str
    client_id: str | None = None
    attachments: tuple[Attachment, ...] = ()


class AgentMessage(Frozen):
    kind: Literal["message"] = "message"
    id: str
    text: str
    phase: str | None = None
    cut: bool = False


class Reasoning(Frozen):
    """`summary` for the person; `content` only from models that show their raw reasoning."""

    kind: Literal["reasoning"] = "reasoning"
    id: str
    summary: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    cut: bool = False


class Plan(Frozen):
    kind: Literal["plan"] = "plan"
    id: str
    text: str
    cut: bool = False


class CommandRun(Frozen):
    """One command. `output` may be cut near 1 MiB by Codex (PROTOCOL, Items): the deltas are whole."""

    kind: Literal["command"] = "command"
    id: str
    command: str
    cwd: str
    status: Status
    source: str = "agent"
    process_id: str | None = None
    output: str | None = None
    exit_code: int | None = None
    duration_ms: int | None = None


class Change(Frozen):
    """One file of a patch. `diff` is the whole content for `add` and `delete`, hunks for `update`."""

    path: str
    verb: Literal["add", "delete", "update"]
    diff: str
    move_path: str | None = None


class FileChange(Frozen):
    kind: Literal["file_change"] = "file_change"
    id: str
    changes: tuple[Change, ...]
    status: Status


class ToolCall(Frozen):
    """An MCP call (`server` set) or a dynamic tool of ours (`server` None). `arguments` is JSON text."""

    kind: Literal["tool"] = "tool"
    id: str
    tool: str
    arguments: str
    status: Status
    server: str | None = None
    result: str | None = None
    error: str | None = None
    duration_ms: int | None = None


class SubAgentCall(Frozen):
    """The parent's side of a sub-agent; `receivers` are the child threads' ids."""

    kind: Literal["sub_agent"] = "sub_agent"
    id: str
    tool: str
    status: Status
    receivers: tuple[str, ...] = ()
    prompt: str | None = None


class WebSearch(Frozen):
    kind: Literal["web_search"] = "web_search"
    id: str
    query: str


class Image(Frozen):
    """An image that the model looked at or made."""

    kind: Literal["image"] = "image"
    id: str
    path: str
    made: bool = False


class Marker(Frozen):
    """Something that happened to the thread: review entered or left, compaction, sleep, hook."""

    kind: Literal["marker"] = "marker"
    id: str
    name: str
    text: str = ""


class OtherItem(Frozen):
    """A kind that this version does not know. `raw` is Codex's JSON text, whole."""

    kind: Literal["other"] = "other"
    id: str
    name: str
    raw: str


Item = Annotated[
    UserMessage
    | AgentMessage
    | Reasoning
    | Plan
    | CommandRun
    | FileChange
    | ToolCall
    | SubAgentCall
    | WebSearch
    | Image
    | Marker
    | OtherItem,
    Field(discriminator="kind"),
]

Action = CommandRun | FileChange | ToolCall | SubAgentCall
"""The items with a beginning and an end, recorded as a call and its return."""

_ITEM: TypeAdapter[Item] = TypeAdapter(Item)


def dump_item(item: Item) -> str:
    """The item as JSON text."""
    return item.model_dump_json(exclude_defaults=False)


def load_item(text: str) -> Item:
    """The item from JSON text. Raises pydantic's ValidationError (a ValueError) for anything else."""
    return _ITEM.validate_json(text)
