"""Codex's items as boxes (DESIGN, items -> boxes). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.agent.events import Channel
from core.agent.items import (
    Action,
    AgentMessage,
    CommandRun,
    FileChange,
    Image,
    Item,
    Marker,
    OtherItem,
    Plan,
    Reasoning,
    Status,
    SubAgentCall,
    ToolCall,
    UserMessage,
    WebSearch,
    dump_item,
)
from core.agent.port import TurnOptions, dump_options
from core.conversation.feed import Delivery, OutboxEntry
from core.conversation.ports import Rendered
from core.rows import KeptImage
from core.thread.boxes import (
    ASSISTANT,
    ITEM,
    NOTICE,
    PLAN,
    REASONING,
    USER,
    BoxDraft,
    ChatBox,
    InputMeta,
    ItemMeta,
    NoticeMeta,
    draft,
    hidden_of,
)
from core.thread.codec import Call
from core.thread.thread import Arrival

Streamed = AgentMessage | Reasoning | Plan
"""The items that grow and become a box only when they are complete."""


def message_draft(
    key: str,
    text: str,
    rendered: Rendered | None = None,
    options: TurnOptions | None = None,
    steer: bool = True,
    images: Sequence[KeptImage] = (),
) -> BoxDraft:
    """What was typed here, and what Codex gets of it."""
    meta = InputMeta(
        key=key,
        attachments=tuple(image.name for image in images),
        copies=tuple(image.path for image in images),
        options="" if options is None else dump_options(options),
        steer=steer,
        typed=text if rendered is not None and rendered.sources else None,
        sources=rendered.sources if rendered is not None else (),
    )
    return draft(USER, text if rendered is None else rendered.text, meta)


def typed_of(box: BoxDraft | ChatBox) -> str:
    """What the person wrote, without what was put before it."""
    meta = hidden_of(box)
    return meta.typed if isinstance(meta, InputMeta) and meta.typed is not None else box.contents


def waiting(arrival: Arrival) -> OutboxEntry:
    """A message that has no place in the conversation yet, as it is shown."""
    meta = hidden_of(arrival.draft)
    said = meta if isinstance(meta, InputMeta) else InputMeta(key=arrival.key)
    accepted = Delivery.ACCEPTED if said.steer else Delivery.QUEUED
    delivery = accepted if arrival.steer is None else Delivery.SENT
    return OutboxEntry(arrival.key, typed_of(arrival.draft), delivery, said.images)


def images_of(boxes: Iterable[BoxDraft | ChatBox]) -> tuple[str, ...]:
    """The paths of the images that go to Codex with these messages."""
    metas = (hidden_of(box) for box in boxes)
    said = (meta for meta in metas if isinstance(meta, InputMeta) and not meta.elsewhere)
    return tuple(path for meta in said for path in meta.images)


def notice(level: str, text: str, code: str = "", detail: str = "") -> BoxDraft:
    """One sentence for the person, in the conversation for good."""
    return draft(NOTICE, text, NoticeMeta(level=level, code=code, detail=detail))


def box_of(item: Item, turn_id: str) -> BoxDraft:
    """The box of an item that is no action of Codex's."""
    if isinstance(item, UserMessage):
        names = tuple(attachment.name for attachment in item.attachments)
        return draft(USER, item.text, InputMeta(key=item.id, elsewhere=True, attachments=names))
    box_type, contents = _shown(item)
    return draft(box_type, contents, ItemMeta(item_id=item.id, turn_id=turn_id, item_json=dump_item(item)))


def _shown(item: Item) -> tuple[str, str]:
    match item:
        case AgentMessage():
            return ASSISTANT, item.text
        case Reasoning():
            return REASONING, "\n\n".join(item.summary or item.content)
        case Plan():
            return PLAN, item.text
        case WebSearch():
            return ITEM, item.query
        case Image():
            return ITEM, item.path
        case Marker():
            return ITEM, item.text or item.name
        case OtherItem():
            return ITEM, item.name
        case _:
            return ITEM, item.kind


def call_of(item: Action, turn_id: str) -> Call:
    """The call that an action's beginning is."""
    name, arguments = _call_words(item)
    return Call(name, arguments, item.id, turn_id, dump_item(item))


def _call_words(item: Action) -> tuple[str, str]:
    match item:
        case CommandRun():
            return "command", item.command
        case FileChange():
            return "file_change", "\n".join(change.path for change in item.changes)
        case ToolCall():
            return item.tool if item.server is None else f"{item.server}.{item.tool}", item.arguments
        case SubAgentCall():
            return "sub_agent", item.prompt or item.tool


def output_of(item: Action) -> str:
    """What a finished action gave, as text."""
    match item:
        case CommandRun():
            return item.output or ""
        case ToolCall():
            return item.error or item.result or ""
        case FileChange() | SubAgentCall():
            return ""


def without_output(item: Action) -> Action:
    """The item as it is kept beside its output, which is the box's contents."""
    match item:
        case CommandRun():
            return item.model_copy(update={"output": None})
        case ToolCall():
            return item.model_copy(update={"result": None})
        case FileChange() | SubAgentCall():
            return item


def streamed_as(channel: Channel, item_id: str) -> Streamed | None:
    """The item that grows by text of this channel, as far as that says; None for what an action puts out."""
    match channel:
        case Channel.MESSAGE:
            return AgentMessage(id=item_id, text="")
        case Channel.PLAN:
            return Plan(id=item_id, text="")
        case Channel.SUMMARY | Channel.REASONING:
            return Reasoning(id=item_id)
        case _:
            return None


def cut_item(item: Item, texts: dict[int, str], raw: dict[int, str]) -> Item:
    """A streamed item that was never completed, with the text that came, by part number.

    `raw` is the reasoning of a model that shows it, `texts` everything else.
    """
    parts = tuple(texts[part] for part in sorted(texts))
    match item:
        case AgentMessage() | Plan():
            return item.model_copy(update={"text": "".join(parts), "cut": True})
        case Reasoning():
            content = tuple(raw[part] for part in sorted(raw))
            return item.model_copy(update={"summary": parts, "content": content, "cut": True})
        case _:
            return item


def cut_action(item: Action, *, declined: bool) -> Action:
    """An action whose end nobody saw; one that was declined never began."""
    return item.model_copy(update={"status": Status.DECLINED if declined else Status.CUT})
