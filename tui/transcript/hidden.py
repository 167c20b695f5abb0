"""The few facts that folding needs from a box's hidden JSON, read without parsing it whole.

Thousands of boxes are folded when a conversation opens, and a completed command's JSON can hold a
megabyte of output. The models in `core.thread.boxes` write their key first; where it is not, the JSON is
parsed after all.
"""

from __future__ import annotations

import json
import re

from core.errors import InvalidState
from core.thread.boxes import (
    TOOL_CALL,
    CallMeta,
    ChatBox,
    InputMeta,
    ItemMeta,
    MessageMeta,
    ResultMeta,
    hidden_of,
)

_STRING = r'"((?:[^"\\]|\\.)*)"'
_ITEM = re.compile(r'\{"type":"(?:item|call)","item_id":' + _STRING)
_INPUT = re.compile(r'\{"type":"input","key":' + _STRING)
_CALL = re.compile(r'\{"type":"(?:message|result)","tool_call_id":(\d+)')

_SUB_AGENT = r'"item_json":"{\"kind\":\"sub_agent\"'

_CALL_BEGINNINGS = ('{"type":"result","tool_call_id":', '{"type":"message","tool_call_id":')


def item_id(box: ChatBox) -> str | None:
    """The item that the box records; None where it records none."""
    if found := _ITEM.match(box.hidden_contents):
        return _unquoted(found.group(1))
    meta = _parsed(box, "item", "call")
    return meta.item_id if isinstance(meta, ItemMeta | CallMeta) else None


def input_key(box: ChatBox) -> str | None:
    """The key of the message that the box records; None where it records none."""
    if found := _INPUT.match(box.hidden_contents):
        return _unquoted(found.group(1))
    meta = _parsed(box, "input")
    return meta.key if isinstance(meta, InputMeta) else None


def names_call(box: ChatBox) -> bool:
    """Does a tool message or return say which call it belongs to?"""
    return box.hidden_contents.startswith(_CALL_BEGINNINGS) or call_id(box) is not None


def call_id(box: ChatBox) -> int | None:
    """The call that a tool message or return belongs to; None where its hidden part cannot be read."""
    if found := _CALL.match(box.hidden_contents):
        return int(found.group(1))
    meta = _parsed(box, "message", "result")
    return meta.tool_call_id if isinstance(meta, MessageMeta | ResultMeta) else None


def is_sub_agent(box: ChatBox) -> bool:
    """Is the box the call of a sub-agent?"""
    return box.box_type == TOOL_CALL and _SUB_AGENT in box.hidden_contents


def _unquoted(text: str) -> str:
    return json.loads(f'"{text}"') if "\\" in text else text


def _parsed(box: ChatBox, *types: str) -> object | None:
    if box.hidden_type not in types:
        return None
    try:
        return hidden_of(box)
    except InvalidState:
        # The entry shows the damage when it is drawn (reading.read); folding goes on without the fact.
        return None
