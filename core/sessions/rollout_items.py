"""What the payloads of a rollout's lines say, as texts. Pure, and never raises: what is of another shape says nothing."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import cast

from pydantic_core import from_json

from core.sessions.model import Kind
from core.sessions.rows import Text
from core.sessions.texts import bounded

_NOT_TYPED = ("<environment_context", "<user_instructions", "<skills_instructions", "<subagent_notification")
_INSTRUCTIONS = "# AGENTS.md instructions"
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_SHELLS = ("bash", "sh", "zsh")

Parts = tuple[tuple[Kind, str], ...]


def fields_of(value: object) -> dict[str, object]:
    """The fields of a JSON object; none for any other JSON."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def string_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def texts_of_completed(item: dict[str, object], turn_id: str, at_ms: int) -> tuple[Text, ...]:
    """Of an `item_completed` event's item."""
    reader = _COMPLETED.get(string_of(item.get("type")), _other)
    key = string_of(item.get("client_id")) or string_of(item.get("id"))
    return _texts(reader(item), key, turn_id, at_ms)


def texts_of_response(payload: dict[str, object], turn_id: str, at_ms: int) -> tuple[Text, ...]:
    """Of a `response_item`: what the model was told and said, where no completed items were recorded."""
    reader = _RESPONSES.get(string_of(payload.get("type")))
    if reader is None:
        return ()
    key = string_of(payload.get("call_id")) or string_of(payload.get("id"))
    return _texts(reader(payload), key, turn_id, at_ms)


def _texts(parts: Parts, item_id: str, turn_id: str, at_ms: int) -> tuple[Text, ...]:
    found: list[Text] = []
    for kind, whole in parts:
        text, cut = bounded(whole)
        if text:
            # A message that older files have twice, as an event and for the model, has no id in common.
            key = item_id if item_id and kind is not Kind.USER else _fingerprint(item_id, text)
            found.append(Text(kind, text, key, turn_id, at_ms, cut=cut))
    return tuple(found)


def _fingerprint(item_id: str, text: str) -> str:
    if item_id and not item_id.startswith("msg_"):
        return item_id
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _said(content: object) -> str:
    parts = cast("list[object]", content) if isinstance(content, list) else []
    return "\n".join(filter(None, (string_of(fields_of(part).get("text")) for part in parts)))


def _strings(value: object) -> list[str]:
    return [string_of(one) for one in cast("list[object]", value)] if isinstance(value, list) else []


def _user(item: dict[str, object]) -> Parts:
    return ((Kind.USER, _said(item.get("content"))),)


def _assistant(item: dict[str, object]) -> Parts:
    return ((Kind.ASSISTANT, _said(item.get("content"))),)


def _reasoning(item: dict[str, object]) -> Parts:
    summary = _strings(item.get("summary_text")) or _strings(item.get("raw_content"))
    return ((Kind.REASONING, "\n\n".join(summary)),)


def _command(item: dict[str, object]) -> Parts:
    output = string_of(item.get("aggregated_output"))
    return ((Kind.COMMAND, command_line(_strings(item.get("command")))), (Kind.OUTPUT, output))


def _file_change(item: dict[str, object]) -> Parts:
    changes = fields_of(item.get("changes"))
    diffs = "\n".join(
        string_of(fields_of(change).get(name))
        for change in changes.values()
        for name in ("unified_diff", "content", "diff")
    )
    return ((Kind.FILES, "\n".join(changes)), (Kind.OUTPUT, diffs.strip()))


def _tool(item: dict[str, object]) -> Parts:
    name = ".".join(filter(None, (string_of(item.get("server")), string_of(item.get("tool")))))
    result = _said(fields_of(item.get("result")).get("content")) or string_of(
        fields_of(item.get("error")).get("message")
    )
    return ((Kind.TOOL, f"{name} {_flat(item.get('arguments'))}"), (Kind.OUTPUT, result))


def _sub_agent(item: dict[str, object]) -> Parts:
    return ((Kind.TOOL, string_of(item.get("prompt")) or string_of(item.get("tool"))),)


def _plan(item: dict[str, object]) -> Parts:
    return ((Kind.PLAN, string_of(item.get("text"))),)


def _search(item: dict[str, object]) -> Parts:
    return ((Kind.SEARCH, string_of(item.get("query"))),)


def _image(item: dict[str, object]) -> Parts:
    return ((Kind.OTHER, string_of(item.get("path")).removeprefix("file://")),)


def _other(item: dict[str, object]) -> Parts:
    return ((Kind.OTHER, _flat(item)),) if item else ()


def _flat(value: object, depth: int = 8) -> str:
    """The strings in a JSON value, in order."""
    if isinstance(value, str):
        return value
    if depth and isinstance(value, list | dict):
        inner = (
            cast("dict[str, object]", value).values()
            if isinstance(value, dict)
            else cast("list[object]", value)
        )
        return " ".join(filter(None, (_flat(one, depth - 1) for one in inner)))
    return ""


def command_line(words: list[str]) -> str:
    """A command as one types it: what a shell was told to run, without the shell."""
    if len(words) == 3 and words[0].rpartition("/")[2] in _SHELLS and words[1] in ("-c", "-lc"):
        return words[2]
    return " ".join(words)


def _message(payload: dict[str, object]) -> Parts:
    said = _said(payload.get("content"))
    if payload.get("role") == "assistant":
        return ((Kind.ASSISTANT, said),)
    if payload.get("role") != "user" or said.startswith((*_NOT_TYPED, _INSTRUCTIONS)):
        return ()
    return ((Kind.USER, said),)


def _summary(payload: dict[str, object]) -> Parts:
    return ((Kind.REASONING, _said(payload.get("summary"))),)


def _call(payload: dict[str, object]) -> Parts:
    name = string_of(payload.get("name"))
    raw = string_of(payload.get("arguments")) or string_of(payload.get("input"))
    patched = "\n".join(_PATCHED.findall(raw.replace("\\n", "\n")))
    if patched:
        return ((Kind.FILES, patched), (Kind.COMMAND, name))
    try:
        arguments = fields_of(from_json(raw))
    except ValueError:
        return ((Kind.TOOL, f"{name} {raw}"),)
    command = string_of(arguments.get("cmd")) or command_line(_strings(arguments.get("command")))
    return ((Kind.COMMAND, command),) if command else ((Kind.TOOL, f"{name} {raw}"),)


def _shell_call(payload: dict[str, object]) -> Parts:
    return ((Kind.COMMAND, command_line(_strings(fields_of(payload.get("action")).get("command")))),)


def _output(payload: dict[str, object]) -> Parts:
    output = payload.get("output")
    return ((Kind.OUTPUT, output if isinstance(output, str) else _said(output) or _flat(output)),)


def _web(payload: dict[str, object]) -> Parts:
    return ((Kind.SEARCH, string_of(fields_of(payload.get("action")).get("query"))),)


Reader = Callable[[dict[str, object]], Parts]

_COMPLETED: dict[str, Reader] = {
    "UserMessage": _user,
    "AgentMessage": _assistant,
    "Reasoning": _reasoning,
    "Plan": _plan,
    "CommandExecution": _command,
    "FileChange": _file_change,
    "McpToolCall": _tool,
    "DynamicToolCall": _tool,
    "CollabAgentToolCall": _sub_agent,
    "WebSearch": _search,
    "ImageView": _image,
}

_RESPONSES: dict[str, Reader] = {
    "message": _message,
    "reasoning": _summary,
    "function_call": _call,
    "custom_tool_call": _call,
    "local_shell_call": _shell_call,
    "function_call_output": _output,
    "custom_tool_call_output": _output,
    "web_search_call": _web,
}
