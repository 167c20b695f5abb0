"""What a person reads of a box or a decision, before it has a format. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from core.agent.items import Change, CommandRun, FileChange, Item, Marker, OtherItem, SubAgentCall, load_item
from core.errors import InvalidState
from core.ledger_lines import shown_answer
from core.rows import LedgerEntry
from core.thread import boxes
from core.thread.boxes import (
    CallMeta,
    ChatBox,
    Hidden,
    InputMeta,
    ItemMeta,
    NoticeMeta,
    ResultMeta,
    hidden_of,
)

Kind = Literal["user", "codex", "thinking", "plan", "call", "return", "notice", "item", "decision"]

_VERBS = {"add": "new file", "delete": "deleted file", "update": "changed"}


@dataclass(frozen=True, slots=True)
class Words:
    """Text as it was written, which may be Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Text to be shown as it is. `language` for a reader that colours it."""

    text: str
    language: str = ""


Block = Words | Code


@dataclass(frozen=True, slots=True)
class Shown:
    """One entry. `heading` is a few words on one line."""

    kind: Kind
    heading: str
    blocks: tuple[Block, ...]


class Showing:
    """Shows the boxes of one conversation in their order: a return is named after its call."""

    def __init__(self) -> None:
        self._calls: dict[int, str] = {}

    def box(self, box: ChatBox) -> Shown:
        hidden = _hidden(box)
        match box.box_type:
            case boxes.USER:
                return _user(box, hidden)
            case boxes.ASSISTANT:
                return Shown("codex", "Codex", (Words(box.contents),))
            case boxes.REASONING:
                return Shown("thinking", "Thinking", (Words(box.contents),))
            case boxes.PLAN:
                return Shown("plan", "Plan", (Words(box.contents),))
            case boxes.TOOL_CALL:
                return self._call(box, hidden)
            case boxes.TOOL_RETURN:
                return self._return(box, hidden)
            case boxes.NOTICE:
                detail = hidden.detail if isinstance(hidden, NoticeMeta) else ""
                level = hidden.level if isinstance(hidden, NoticeMeta) else "info"
                return Shown("notice", level.capitalize(), _texts(box.contents, detail))
            case _:
                return _other(box, hidden)

    def _call(self, box: ChatBox, hidden: Hidden | None) -> Shown:
        name = hidden.name if isinstance(hidden, CallMeta) else "call"
        item = _item(hidden.item_json) if isinstance(hidden, CallMeta) else None
        heading, blocks = _called(box.contents, name, item)
        self._calls[box.id] = heading
        return Shown("call", heading, blocks)

    def _return(self, box: ChatBox, hidden: Hidden | None) -> Shown:
        if not isinstance(hidden, ResultMeta):
            return Shown("return", "Result", _code(box.contents))
        item = _item(hidden.metadata_contents) if hidden.metadata_type == "item" else None
        outcome = _outcome(hidden, item)
        of = self._calls.get(hidden.tool_call_id, "Call")
        changes = _diffs(item.changes) if isinstance(item, FileChange) else ()
        return Shown("return", f"{of}: {outcome}", (*changes, *_code(box.contents)))


def decision(entry: LedgerEntry) -> Shown:
    """A decision of the ledger with what became of it."""
    became = "; ".join(one.outcome for one in entry.outcomes if one.outcome)
    words = f"Decided by {entry.decided_by}" + (f". {became}" if became else "")
    blocks = (Words(words), Code(_pretty(shown_answer(entry)), "json"), Code(_pretty(entry.content), "json"))
    return Shown("decision", f"Decision: {entry.kind}", blocks)


def _hidden(box: ChatBox) -> Hidden | None:
    """None where it cannot be read: its text can be all the same."""
    try:
        return hidden_of(box)
    except InvalidState:
        return None


def _item(text: str) -> Item | None:
    try:
        return load_item(text) if text else None
    except ValueError:
        return None


def _user(box: ChatBox, hidden: Hidden | None) -> Shown:
    if not isinstance(hidden, InputMeta):
        return Shown("user", "You", (Words(box.contents),))
    with_it = [f"Attached: {name}" for name in hidden.attachments]
    if hidden.typed is not None:
        with_it.append(f"Put before it: {', '.join(hidden.sources)}")
    heading = "You, from another client" if hidden.elsewhere else "You"
    text = box.contents if hidden.typed is None else hidden.typed
    return Shown("user", heading, (Words(text), *(Words(one) for one in with_it)))


def _called(contents: str, name: str, item: Item | None) -> tuple[str, tuple[Block, ...]]:
    match item:
        case CommandRun():
            where = (Words(f"in {item.cwd}"),) if item.cwd else ()
            return "Command", (Code(item.command or contents, "sh"), *where)
        case FileChange():
            return "File change", _diffs(item.changes)
        case SubAgentCall():
            return "Sub-agent", _texts(item.prompt or contents)
        case _:
            return f"Tool {name}", (Code(_pretty(contents), "json"),)


def _outcome(result: ResultMeta, item: Item | None) -> str:
    if isinstance(item, CommandRun):
        code = "" if item.exit_code is None else f", exit code {item.exit_code}"
        return f"{item.status.value}{code}"
    status = getattr(item, "status", None)
    return str(status.value) if status is not None else ("done" if result.success else "failed")


def _diffs(changes: tuple[Change, ...]) -> tuple[Block, ...]:
    made: list[Block] = []
    for change in changes:
        to = f" → {change.move_path}" if change.move_path else ""
        made.append(Words(f"{_VERBS[change.verb]}: {change.path}{to}"))
        made.append(Code(change.diff, "diff" if change.verb == "update" else ""))
    return tuple(made)


def _other(box: ChatBox, hidden: Hidden | None) -> Shown:
    item = _item(hidden.item_json) if isinstance(hidden, ItemMeta) else None
    match item:
        case Marker() | OtherItem():
            heading = item.name
        case None:
            heading = {boxes.TOOL_MESSAGE: "Progress"}.get(box.box_type, box.box_type)
        case _:
            heading = item.kind.replace("_", " ").capitalize()
    raw = (Code(_pretty(item.raw), "json"),) if isinstance(item, OtherItem) else _texts(box.contents)
    return Shown("item", heading, raw)


def _texts(*texts: str) -> tuple[Block, ...]:
    return tuple(Words(text) for text in texts if text)


def _code(text: str) -> tuple[Block, ...]:
    return (Code(text),) if text else ()


def _pretty(text: str) -> str:
    """JSON laid out to be read; any other text as it is."""
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
