"""Boxes to values for the model, and a stage's values to boxes (seed 000).

Only what a person wrote goes to Codex as text: Codex itself keeps everything else that it did.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import InvalidState
from core.thread.boxes import (
    TOOL_CALL,
    USER,
    BoxDraft,
    BoxId,
    CallMeta,
    ChatBox,
    InputMeta,
    ToolCallId,
    draft,
    hidden_of,
)


@dataclass(frozen=True, slots=True)
class History:
    """A section of text that the model has not had. Empty where a box says nothing to it."""

    section: str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that the model made. `arguments` is what it asked for, as text."""

    name: str
    arguments: str
    item_id: str = ""
    turn_id: str = ""
    item_json: str = ""

    def draft(self) -> BoxDraft:
        meta = CallMeta(name=self.name, item_id=self.item_id, turn_id=self.turn_id, item_json=self.item_json)
        return draft(TOOL_CALL, self.arguments, meta)


@dataclass(frozen=True, slots=True)
class Note:
    """Anything else that belongs in the conversation at this point: reasoning, a notice, an item."""

    box: BoxDraft


BoxValue = History | Call | Note


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call that is recorded and may now start."""

    id: ToolCallId
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Start:
    """What `begin` took. `again`: Codex has this input already (a restart of a job that got it)."""

    job: int
    key: str
    values: tuple[History, ...]
    boxes: tuple[BoxId, ...]
    again: bool


@dataclass(frozen=True, slots=True)
class PreparedSteer:
    """What would be handed to the running turn; valid until job, arrivals or watermark move."""

    job: int
    arrivals: tuple[str, ...]
    watermark: int
    values: tuple[History, ...]

    @property
    def key(self) -> str:
        """The clientUserMessageId it is sent under: its first message's key."""
        return self.arrivals[0]


def value_of(box: ChatBox) -> History:
    """What the model is told of a box that waits."""
    if box.box_type != USER:
        return History("")
    meta = hidden_of(box)
    if isinstance(meta, InputMeta) and meta.elsewhere:
        return History("")
    return History(box.contents)


def render_input(values: Iterable[BoxValue]) -> str:
    """The values as one text, sections parted by a line end. Raises InvalidState for a non-history value."""
    output = ""
    for value in values:
        if not isinstance(value, History):
            raise InvalidState(
                "Input for Codex holds something that is not text",
                why=f"found a {type(value).__name__}",
                todo="This is a bug in Quarterdeck; please report it.",
            )
        if not value.section:
            continue
        if output and not output.endswith("\n"):
            output += "\n"
        output += value.section
    return output
