"""Items and boxes -> the texts that are found. Pure.

A text has no control characters, so that the marks around a hit are never part of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import cast

from core.agent.items import (
    AgentMessage,
    CommandRun,
    FileChange,
    Image,
    Item,
    Marker,
    OtherItem,
    Plan,
    Reasoning,
    SubAgentCall,
    ToolCall,
    UserMessage,
    WebSearch,
    load_item,
)
from core.errors import InvalidState
from core.ledger_lines import without_secrets
from core.sessions.model import Kind
from core.sessions.rows import Text
from core.thread.boxes import (
    ASSISTANT,
    NOTICE,
    PLAN,
    REASONING,
    TOOL_CALL,
    TOOL_RETURN,
    USER,
    CallMeta,
    ChatBox,
    Hidden,
    InputMeta,
    ItemMeta,
    ResultMeta,
    hidden_of,
)

KEPT_AT_EACH_END = 64 * 1024
"""Characters of a long text that are found, from its beginning and from its end."""

LEFT_OUT = "\n… the middle is not in the index …\n"

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])")
_CONTROLS = dict.fromkeys([*range(9), *range(11, 32), 127], " ")
_SURROGATES = re.compile("[\ud800-\udfff]")
_NOT_WORDS = frozenset(
    [
        "key",
        "thread_id",
        "turn_id",
        "item_id",
        "id",
        "kind",
        "verb",
        "raw",
        "choices",
        "proposed_rule",
        "form_json",
        "approval_kind",
        "persist",
        "action",
        "scope",
    ]
)
"""Of a stored request or answer: what is Codex's, and what was only offered."""
_BOX_KINDS = {ASSISTANT: Kind.ASSISTANT, REASONING: Kind.REASONING, PLAN: Kind.PLAN, NOTICE: Kind.NOTICE}


def bounded(text: str) -> tuple[str, bool]:
    """What of a text goes into the index, clean, and whether its middle is left out."""
    cut = len(text) > 2 * KEPT_AT_EACH_END
    if cut:
        text = f"{text[:KEPT_AT_EACH_END]}{LEFT_OUT}{text[-KEPT_AT_EACH_END:]}"
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if not text.isprintable():
        text = _SURROGATES.sub("\ufffd", text.translate(_CONTROLS))
    return text.strip(), cut


def texts_of_item(item: Item, turn_id: str, at_ms: int) -> tuple[Text, ...]:
    """What is found of an item; nothing where it says nothing."""
    key = (item.client_id or item.id) if isinstance(item, UserMessage) else item.id
    found = (_text(kind, text, key, turn_id, at_ms) for kind, text in _parts(item))
    return tuple(text for text in found if text.text)


def texts_of_box(box: ChatBox, at_ms: int) -> tuple[Text, ...]:
    """What is found of a box."""
    try:
        found = _of_box(box, hidden_of(box), at_ms)
    except (InvalidState, ValueError):
        # Its hidden part cannot be read: what a person sees of it can be found all the same.
        found = (_text(_BOX_KINDS.get(box.box_type, Kind.OTHER), box.contents, f"box-{box.id}", "", at_ms),)
    return tuple(_at_box(text, box.id) for text in found if text.text)


def decision_text(number: int, request: str, answer: str, at_ms: int) -> Text:
    """A decision: what was asked, and what was answered ("" by nobody). Both are JSON as they are stored."""
    told = (request, without_secrets(request, answer))
    words = dict.fromkeys(word for one in told if one for word in _words(_parsed(one)))
    return _text(Kind.DECISION, "\n".join(words), f"decision-{number}", "", at_ms)


def _parsed(told: str) -> object:
    """What is no JSON was written by another program, into a file that was imported: it is found as it stands."""
    try:
        return json.loads(told)
    except ValueError:
        return told


def _words(told: object) -> Iterator[str]:
    """The strings of it that a person was shown or wrote."""
    match told:
        case str():
            if told.strip():
                yield told
        case list():
            for one in cast("list[object]", told):
                yield from _words(one)
        case dict():
            for name, value in cast("dict[str, object]", told).items():
                if name not in _NOT_WORDS:
                    yield from _words(value)
        case _:
            return


def _parts(item: Item) -> tuple[tuple[Kind, str], ...]:
    match item:
        case UserMessage():
            return ((Kind.USER, item.text),)
        case AgentMessage():
            return ((Kind.ASSISTANT, item.text),)
        case Reasoning():
            return ((Kind.REASONING, "\n\n".join(item.summary or item.content)),)
        case Plan():
            return ((Kind.PLAN, item.text),)
        case CommandRun():
            return ((Kind.COMMAND, item.command), (Kind.OUTPUT, item.output or ""))
        case FileChange():
            paths = "\n".join(
                path for change in item.changes for path in (change.path, change.move_path) if path
            )
            return ((Kind.FILES, paths), (Kind.OUTPUT, "\n".join(change.diff for change in item.changes)))
        case ToolCall():
            name = item.tool if item.server is None else f"{item.server}.{item.tool}"
            return ((Kind.TOOL, f"{name} {item.arguments}"), (Kind.OUTPUT, item.error or item.result or ""))
        case SubAgentCall():
            return ((Kind.TOOL, item.prompt or item.tool),)
        case WebSearch():
            return ((Kind.SEARCH, item.query),)
        case Image():
            return ((Kind.OTHER, item.path),)
        case Marker():
            return ((Kind.OTHER, item.text or item.name),)
        case OtherItem():
            return ((Kind.OTHER, item.raw),)


def _of_box(box: ChatBox, hidden: Hidden | None, at_ms: int) -> tuple[Text, ...]:
    match hidden:
        case InputMeta() if box.box_type == USER:
            typed = box.contents if hidden.typed is None else hidden.typed
            return (_text(Kind.USER, typed, hidden.key, "", at_ms),)
        case CallMeta() if box.box_type == TOOL_CALL:
            item = load_item(hidden.item_json)
            # The output has a box of its own.
            bare = item.model_copy(update={"output": None}) if isinstance(item, CommandRun) else item
            return texts_of_item(bare, hidden.turn_id, at_ms)
        case ResultMeta() if box.box_type == TOOL_RETURN:
            has_item = hidden.metadata_type == "item"
            item_id = load_item(hidden.metadata_contents).id if has_item else f"box-{box.id}"
            return (_text(Kind.OUTPUT, box.contents, item_id, "", at_ms),)
        case ItemMeta():
            item = load_item(hidden.item_json)
            return texts_of_item(item, hidden.turn_id, at_ms)
        case _:
            kind = _BOX_KINDS.get(box.box_type, Kind.OTHER)
            return (_text(kind, box.contents, f"box-{box.id}", "", at_ms),)


def _text(kind: Kind, text: str, item_id: str, turn_id: str, at_ms: int) -> Text:
    clean, cut = bounded(text)
    return Text(kind, clean, item_id, turn_id, at_ms, cut=cut)


def _at_box(text: Text, box_id: int) -> Text:
    return Text(text.kind, text.text, text.item_id, text.turn_id, text.at_ms, box_id, text.cut)
