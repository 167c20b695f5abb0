"""What an entry says, typed: its boxes' hidden JSON is parsed here, when the entry is drawn, and dropped.

Damaged or unknown boxes are read as `Unread` and shown as they are; nothing is hidden.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.agent.events import Channel
from core.agent.items import (
    AgentMessage,
    CommandRun,
    FileChange,
    Item,
    Plan,
    Reasoning,
    Status,
    SubAgentCall,
    ToolCall,
    UserMessage,
    load_item,
)
from core.errors import InvalidState
from core.thread.boxes import (
    TOOL_MESSAGE,
    USER,
    CallMeta,
    ChatBox,
    InputMeta,
    ItemMeta,
    NoticeMeta,
    ResultMeta,
    hidden_of,
)
from tui.transcript.entries import Entry, Live, Output


@dataclass(frozen=True, slots=True)
class Said:
    """A person's message. `state`: how far it got, "" once that is of no interest.

    `attachments` name the images that went along, `images` are their paths. `sources`: the documents that were put
    before it for Codex.
    """

    text: str
    attachments: tuple[str, ...] = ()
    elsewhere: bool = False
    state: str = ""
    sources: tuple[str, ...] = ()
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The model's message, in Markdown."""

    text: str
    cut: bool = False
    live: bool = False


@dataclass(frozen=True, slots=True)
class Thought:
    """The model's reasoning: its summary, and the raw text of models that show it."""

    summary: tuple[str, ...]
    raw: tuple[str, ...] = ()
    cut: bool = False
    live: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """A proposed plan, in Markdown."""

    text: str
    cut: bool = False
    live: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """A command. `notes` are what its tool said meanwhile. `asked`: it waits for a person's word."""

    run: CommandRun
    output: Output
    notes: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Changed:
    """A patch. `remark` is what came back where it was not applied. `asked` as of a command."""

    change: FileChange
    remark: str = ""
    notes: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Called:
    """A tool call. `result` is its answer, or why there is none; `metadata` what came with it, by its type.
    `asked` as of a command.
    """

    call: ToolCall
    result: str = ""
    notes: tuple[str, ...] = ()
    metadata: tuple[str, str] | None = None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Delegated:
    """A sub-agent's work."""

    call: SubAgentCall
    result: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """Any other item, shown in a line: web search, image, marker, or of a kind we do not know."""

    item: Item


@dataclass(frozen=True, slots=True)
class Noted:
    """A notice. `level`: info, warning, error. `code` says what kind of notice it is."""

    level: str
    code: str
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """A box that this version cannot read. `why` is empty where it is merely unknown."""

    name: str
    text: str
    raw: str
    why: str = ""


Content = Said | Written | Thought | Planned | Ran | Changed | Called | Delegated | Seen | Noted | Unread


def read(entry: Entry) -> Content:
    """The typed content of an entry."""
    content = _content(entry)
    if entry.asked and isinstance(content, Ran | Changed | Called):
        return replace(content, asked=True)
    return content


def _content(entry: Entry) -> Content:
    box = entry.box
    if box is not None:
        try:
            return _of_box(entry, box)
        except (InvalidState, ValueError) as error:
            return Unread(box.box_type, box.contents, box.hidden_contents, why=str(error).splitlines()[0])
    if entry.live is not None and entry.live.item is not None:
        return _of_live(entry.live, entry.live.item)
    if entry.waiting is not None:
        return Said(entry.waiting.text, state=entry.waiting.state)
    return Unread("entry", "", "")


def _of_box(entry: Entry, box: ChatBox) -> Content:
    meta = hidden_of(box)
    match meta:
        case InputMeta():
            state = entry.waiting.state if entry.waiting is not None else ""
            text = box.contents if meta.typed is None else meta.typed
            return Said(text, meta.attachments, meta.elsewhere, state, meta.sources, meta.images)
        case NoticeMeta():
            return Noted(meta.level, meta.code, box.contents, meta.detail)
        case ItemMeta():
            return _of_item(load_item(meta.item_json), box.contents)
        case CallMeta():
            return _of_call(entry, box, load_item(meta.item_json))
        case _:
            if box.box_type == USER:
                return Said(box.contents)
            return Unread(box.box_type, box.contents, box.hidden_contents)


def _of_item(item: Item, contents: str) -> Content:
    """A completed item; the box's contents are its text as the model has it."""
    match item:
        case UserMessage():
            return Said(contents or item.text, tuple(part.name for part in item.attachments))
        case AgentMessage():
            return Written(contents or item.text, item.cut)
        case Reasoning():
            return Thought(item.summary or ((contents,) if contents else ()), item.content, item.cut)
        case Plan():
            return Planned(contents or item.text, item.cut)
        case CommandRun():
            return Ran(item, Output(item.output or ""))
        case FileChange():
            return Changed(item)
        case ToolCall():
            return Called(item, item.error or item.result or "")
        case SubAgentCall():
            return Delegated(item)
        case _:
            return Seen(item)


def _of_live(live: Live, item: Item) -> Content:
    match item:
        case AgentMessage():
            return Written(_joined(item.text, live.text(Channel.MESSAGE)), live=True)
        case Plan():
            return Planned(_joined(item.text, live.text(Channel.PLAN)), live=True)
        case Reasoning():
            return Thought(
                _merged(item.summary, live.parts(Channel.SUMMARY)),
                _merged(item.content, live.parts(Channel.REASONING)),
                live=True,
            )
        case CommandRun():
            return Ran(item, live.output or Output(item.output or ""), _progress(live))
        case FileChange():
            return Changed(item, notes=_progress(live))
        case ToolCall():
            return Called(item, item.error or item.result or "", _progress(live))
        case SubAgentCall():
            return Delegated(item, notes=_progress(live))
        case _:
            return _of_item(item, "")


def _joined(before: str, grown: str) -> str:
    return before + grown if before else grown


def _merged(before: tuple[str, ...], grown: dict[int, str]) -> tuple[str, ...]:
    """The parts an item started with, each followed by what came since."""
    count = max(len(before), max(grown, default=-1) + 1)
    return tuple((before[part] if part < len(before) else "") + grown.get(part, "") for part in range(count))


def _progress(live: Live | None) -> tuple[str, ...]:
    return tuple(live.parts(Channel.PROGRESS).values()) if live is not None else ()


def _of_call(entry: Entry, box: ChatBox, item: Item) -> Content:
    """A call, with what was returned and, until then, what it prints."""
    notes = tuple(follower.contents for follower in entry.followers if follower.box_type == TOOL_MESSAGE)
    returned = next((follower for follower in entry.followers if follower.box_type != TOOL_MESSAGE), None)
    text = ""
    if returned is None:
        notes += _progress(entry.live)
    else:
        item, text = _completed(item, returned), returned.contents
    match item:
        case CommandRun():
            live = entry.live.output if entry.live is not None else None
            return Ran(item, live or Output(text or item.output or ""), notes)
        case FileChange():
            return Changed(item, text if item.status is not Status.DONE else "", notes)
        case ToolCall():
            return Called(item, item.error or item.result or text, notes, _metadata(returned))
        case SubAgentCall():
            return Delegated(item, text, notes)
        case _:
            return Seen(item)


def _metadata(returned: ChatBox | None) -> tuple[str, str] | None:
    """What came with a return beside the item itself."""
    meta = hidden_of(returned) if returned is not None else None
    if isinstance(meta, ResultMeta) and meta.metadata_type not in ("", "item"):
        return meta.metadata_type, meta.metadata_contents
    return None


def _completed(item: Item, returned: ChatBox) -> Item:
    """The item as its return has it. A return that cannot be read still ends the call, as cut."""
    meta = hidden_of(returned)
    if isinstance(meta, ResultMeta) and meta.metadata_type == "item":
        return load_item(meta.metadata_contents)
    status = Status.CUT
    if isinstance(meta, ResultMeta):
        status = Status.DONE if meta.success else Status.FAILED
    if isinstance(item, CommandRun | FileChange | ToolCall | SubAgentCall):
        return item.model_copy(update={"status": status})
    return item
