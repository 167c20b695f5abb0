"""Wire items -> `core.agent`'s items. Never raises: what it cannot read, it keeps whole.

An item of a kind, or with a field, that this version does not understand becomes `OtherItem`. The names of
`Marker`s: hook, sleep, sub_agent, tool_output, review_entered, review_left, compaction.
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any, cast

from pydantic import JsonValue

from core.agent import items as ours
from core.codex.protocol import items as wire
from core.codex.protocol.base import Reader

_DATA_URL_SHOWN = 40

_STATUS = {
    "inProgress": ours.Status.RUNNING,
    "completed": ours.Status.DONE,
    "failed": ours.Status.FAILED,
    "declined": ours.Status.DECLINED,
    "interrupted": ours.Status.CUT,
}


def to_text(value: object) -> str:
    """JSON as text, readable."""
    return json.dumps(value, ensure_ascii=False)


def fields_of(value: object) -> dict[str, object]:
    """The fields of a JSON object; none for any other JSON."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


class Unreadable(ValueError):
    """A field that this version does not understand; the caller keeps the whole."""


def to_item(raw: dict[str, Any]) -> ours.Item:
    """One item. Never raises."""
    kind = raw.get("type")
    reader = ITEMS.get(kind) if isinstance(kind, str) else None
    try:
        return reader(raw) if reader else _unknown(raw)
    except ValueError:
        return _unknown(raw)


def _unknown(raw: dict[str, Any]) -> ours.Item:
    return ours.OtherItem(id=str(raw.get("id", "")), name=str(raw.get("type", "")), raw=to_text(raw))


def to_changes(changes: tuple[wire.FileUpdateChange, ...]) -> tuple[ours.Change, ...]:
    """The files of a patch. Raises Unreadable if something else than add, delete or update is done to one."""
    return tuple(_change(change) for change in changes)


def _change(change: wire.FileUpdateChange) -> ours.Change:
    verb = change.kind.type
    if verb not in ("add", "delete", "update"):
        raise Unreadable(f"a change of kind {verb}")
    return ours.Change(path=change.path, verb=verb, diff=change.diff, move_path=change.kind.move_path)


def _status(text: str) -> ours.Status:
    found = _STATUS.get(text)
    if found is None:
        raise Unreadable(f"a status {text}")
    return found


def _user(item: wire.UserMessageItem) -> ours.Item:
    texts = [part.text for part in item.content if part.type == "text"]
    attachments = tuple(
        ours.Attachment(kind=part.type, name=_attachment_name(part))
        for part in item.content
        if part.type != "text"
    )
    return ours.UserMessage(
        id=item.id, text="\n".join(texts), client_id=item.client_id, attachments=attachments
    )


def _attachment_name(part: wire.UserInput) -> str:
    if part.name:
        return part.name
    if part.path:
        return PurePath(part.path).name
    url = part.url or ""
    return url[:_DATA_URL_SHOWN].partition(";")[0] if url.startswith("data:") else url


def _hook(item: wire.HookPromptItem) -> ours.Item:
    return ours.Marker(id=item.id, name="hook", text="\n".join(part.text for part in item.fragments))


def _message(item: wire.AgentMessageItem) -> ours.Item:
    return ours.AgentMessage(id=item.id, text=item.text, phase=item.phase)


def _plan(item: wire.PlanItem) -> ours.Item:
    return ours.Plan(id=item.id, text=item.text)


def _reasoning(item: wire.ReasoningItem) -> ours.Item:
    return ours.Reasoning(id=item.id, summary=item.summary, content=item.content)


def _command(item: wire.CommandExecutionItem) -> ours.Item:
    return ours.CommandRun(
        id=item.id,
        command=item.command,
        cwd=item.cwd,
        status=_status(item.status),
        source=item.source,
        process_id=item.process_id,
        output=item.aggregated_output,
        exit_code=item.exit_code,
        duration_ms=item.duration_ms,
    )


def _file_change(item: wire.FileChangeItem) -> ours.Item:
    return ours.FileChange(id=item.id, changes=to_changes(item.changes), status=_status(item.status))


def _mcp_call(item: wire.McpToolCallItem) -> ours.Item:
    return ours.ToolCall(
        id=item.id,
        tool=item.tool,
        arguments=to_text(item.arguments),
        status=_status(item.status),
        server=item.server,
        result=_mcp_result(item.result) if item.result else None,
        error=item.error.message if item.error else None,
        duration_ms=item.duration_ms,
    )


def _mcp_result(result: wire.McpResult) -> str:
    if not result.content and result.structured_content is not None:
        return to_text(result.structured_content)
    return "\n".join(_mcp_text(part) for part in result.content)


def _mcp_text(part: JsonValue) -> str:
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else to_text(part)


def _dynamic_call(item: wire.DynamicToolCallItem) -> ours.Item:
    said = [part.text or f"({part.type})" for part in item.content_items or ()]
    status = ours.Status.FAILED if item.success is False else _status(item.status)
    return ours.ToolCall(
        id=item.id,
        tool=f"{item.namespace}.{item.tool}" if item.namespace else item.tool,
        arguments=to_text(item.arguments),
        status=status,
        result="\n".join(said) if item.content_items is not None else None,
        duration_ms=item.duration_ms,
    )


def _sub_agent(item: wire.CollabAgentToolCallItem) -> ours.Item:
    return ours.SubAgentCall(
        id=item.id,
        tool=item.tool,
        status=_status(item.status),
        receivers=item.receiver_thread_ids,
        prompt=item.prompt,
    )


def _sub_agent_activity(item: wire.SubAgentActivityItem) -> ours.Item:
    return ours.Marker(id=item.id, name="sub_agent", text=f"{item.agent_path} {item.kind}")


def _web_search(item: wire.WebSearchItem) -> ours.Item:
    return ours.WebSearch(id=item.id, query=item.query)


def _image_seen(item: wire.ImageViewItem) -> ours.Item:
    return ours.Image(id=item.id, path=item.path)


def _image_made(item: wire.ImageGenerationItem) -> ours.Item:
    return ours.Image(id=item.id, path=item.saved_path or "", made=True)


def _sleep(item: wire.SleepItem) -> ours.Item:
    return ours.Marker(id=item.id, name="sleep", text=f"{item.duration_ms} ms")


def _tool_output(item: wire.FunctionCallOutputItem) -> ours.Item:
    output = item.output if isinstance(item.output, str) else to_text(item.output)
    return ours.Marker(id=item.id, name="tool_output", text=f"{item.name}: {output}")


def _review_entered(item: wire.ReviewModeItem) -> ours.Item:
    return ours.Marker(id=item.id, name="review_entered", text=item.review)


def _review_left(item: wire.ReviewModeItem) -> ours.Item:
    return ours.Marker(id=item.id, name="review_left", text=item.review)


def _compaction(item: wire.ContextCompactionItem) -> ours.Item:
    return ours.Marker(id=item.id, name="compaction")


ITEMS: dict[str, Reader[Any, [], ours.Item]] = {
    "userMessage": Reader(wire.UserMessageItem, _user),
    "hookPrompt": Reader(wire.HookPromptItem, _hook),
    "agentMessage": Reader(wire.AgentMessageItem, _message),
    "plan": Reader(wire.PlanItem, _plan),
    "reasoning": Reader(wire.ReasoningItem, _reasoning),
    "commandExecution": Reader(wire.CommandExecutionItem, _command),
    "fileChange": Reader(wire.FileChangeItem, _file_change),
    "mcpToolCall": Reader(wire.McpToolCallItem, _mcp_call),
    "dynamicToolCall": Reader(wire.DynamicToolCallItem, _dynamic_call),
    "collabAgentToolCall": Reader(wire.CollabAgentToolCallItem, _sub_agent),
    "subAgentActivity": Reader(wire.SubAgentActivityItem, _sub_agent_activity),
    "webSearch": Reader(wire.WebSearchItem, _web_search),
    "imageView": Reader(wire.ImageViewItem, _image_seen),
    "imageGeneration": Reader(wire.ImageGenerationItem, _image_made),
    "sleep": Reader(wire.SleepItem, _sleep),
    "functionCallOutput": Reader(wire.FunctionCallOutputItem, _tool_output),
    "enteredReviewMode": Reader(wire.ReviewModeItem, _review_entered),
    "exitedReviewMode": Reader(wire.ReviewModeItem, _review_left),
    "contextCompaction": Reader(wire.ContextCompactionItem, _compaction),
}
