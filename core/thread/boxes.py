"""Boxes: the entries of a conversation, numbered 1, 2, 3… and never changed once recorded.

A box is what a model may need (`box_type`, `contents`) and what it need not see (`hidden_type`,
`hidden_contents`, JSON). The hidden part of each type is one of the models below; `hidden_of` parses it.

| box_type    | contents                         | hidden part                                  |
|-------------|----------------------------------|----------------------------------------------|
| user        | what was typed                   | `InputMeta`: its key, and where it was typed |
| assistant   | the model's text                 | `ItemMeta` (an `AgentMessage`)               |
| reasoning   | its summary                      | `ItemMeta` (a `Reasoning`)                   |
| plan        | the proposed plan                | `ItemMeta` (a `Plan`)                        |
| tool_call   | a command line, a patch, a call  | `CallMeta`                                   |
| tool_message| progress of a call               | `MessageMeta`                                |
| tool_return | its output or error              | `ResultMeta`                                 |
| notice      | one sentence for the person      | `NoticeMeta`                                 |
| item        | a short text for any other item  | `ItemMeta`                                   |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NewType

from core.agent.items import Frozen
from core.errors import InvalidState

BoxId = NewType("BoxId", int)
"""1, 2, 3… within a conversation."""

ToolCallId = NewType("ToolCallId", int)
"""The id of the box that recorded the call."""

USER = "user"
ASSISTANT = "assistant"
REASONING = "reasoning"
PLAN = "plan"
TOOL_CALL = "tool_call"
TOOL_MESSAGE = "tool_message"
TOOL_RETURN = "tool_return"
NOTICE = "notice"
ITEM = "item"


@dataclass(frozen=True, slots=True)
class BoxDraft:
    """A box that has no number yet."""

    box_type: str
    contents: str
    hidden_type: str = ""
    hidden_contents: str = ""


@dataclass(frozen=True, slots=True)
class ChatBox:
    """A recorded box."""

    id: BoxId
    box_type: str
    contents: str
    hidden_type: str = ""
    hidden_contents: str = ""


class InputMeta(Frozen):
    """Of a user box. `key` is the message's identity from the composer to Codex and back.

    `elsewhere` is set for a message that another client sent on the same thread. `attachments` name the images
    that go along, by their paths as the person gave them (of a message from elsewhere, only their names), and
    `copies` are the paths of what goes, in the same order. `options` are what its
    turn was asked to run with (JSON of `core.agent.port.TurnOptions`); without `steer` it waits for a turn
    of its own. `typed` is what the person wrote where documents were put before it (`sources`): the box's
    contents are what Codex gets.
    """

    type: Literal["input"] = "input"
    key: str
    elsewhere: bool = False
    attachments: tuple[str, ...] = ()
    options: str = ""
    steer: bool = True
    typed: str | None = None
    sources: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()

    @property
    def images(self) -> tuple[str, ...]:
        """Where the images are that go along. A message of an earlier version has no copies of its own."""
        return self.copies or self.attachments


class ItemMeta(Frozen):
    """Of a box that holds one of Codex's items; `item_json` is `core.agent.items.dump_item` of it."""

    type: Literal["item"] = "item"
    item_id: str
    turn_id: str
    item_json: str


class CallMeta(Frozen):
    """Of a tool call. `name` is the tool (`command`, `file_change`, a tool's own name)."""

    type: Literal["call"] = "call"
    name: str
    item_id: str
    turn_id: str
    item_json: str


class MessageMeta(Frozen):
    """Of a tool message: whose progress it is."""

    type: Literal["message"] = "message"
    tool_call_id: int


class ResultMeta(Frozen):
    """Of a tool return (seed 000, tool result metadata).

    `metadata_type` says what `metadata_contents` is: "" for none, "item" for the completed item's JSON.
    """

    type: Literal["result"] = "result"
    tool_call_id: int
    success: bool
    metadata_type: str = ""
    metadata_contents: str = ""


class NoticeMeta(Frozen):
    """Of a notice. `level`: info, warning, error. `code`: what kind, for the screen (e.g. interrupted)."""

    type: Literal["notice"] = "notice"
    level: str = "info"
    code: str = ""
    detail: str = ""


Hidden = InputMeta | ItemMeta | CallMeta | MessageMeta | ResultMeta | NoticeMeta

_HIDDEN: dict[str, type[Hidden]] = {
    "input": InputMeta,
    "item": ItemMeta,
    "call": CallMeta,
    "message": MessageMeta,
    "result": ResultMeta,
    "notice": NoticeMeta,
}


def draft(box_type: str, contents: str, hidden: Hidden | None = None) -> BoxDraft:
    """A box to be, with its hidden part as JSON."""
    if hidden is None:
        return BoxDraft(box_type, contents)
    return BoxDraft(box_type, contents, hidden.type, hidden.model_dump_json())


def hidden_of(box: ChatBox | BoxDraft) -> Hidden | None:
    """The hidden part, typed. None where there is none or this version does not know its type.

    Raises InvalidState where the type is known and the contents are not of it.
    """
    model = _HIDDEN.get(box.hidden_type)
    if model is None:
        return None
    try:
        return model.model_validate_json(box.hidden_contents)
    except ValueError as error:
        raise InvalidState(
            f"The hidden contents of a {box.box_type} box cannot be read",
            why=str(error),
            todo="Run `quarterdeck doctor`.",
        ) from error
