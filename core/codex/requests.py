"""Server requests -> `core.agent.requests`, and the answers back onto the wire (PROTOCOL, the table).

Never raises on what comes: a request that this version cannot read, and so cannot judge, becomes an
`OtherRequest`, which is shown and left to another client.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue, ValidationError
from pydantic_core import from_json

from core.agent import requests as ours
from core.agent.items import Change
from core.codex.decisions import BLIND_DECISIONS, COMMAND_DEFAULT, FILE_DECISIONS, KNOWN_VERBS, choices
from core.codex.protocol import requests as wire
from core.codex.protocol.base import Reader
from core.codex.rights import granted, rights_of
from core.codex.rpc import Asked
from core.codex.translate import fields_of, to_text
from core.errors import InvalidRequest

FILE_CHANGE = "item/fileChange/requestApproval"

NEVER_OURS: Mapping[str, str] = {
    "account/chatgptAuthTokens/refresh": "Quarterdeck holds no ChatGPT tokens",
    "attestation/generate": "Quarterdeck makes no attestations",
    "applyPatchApproval": "Quarterdeck answers item/fileChange/requestApproval only",
    "execCommandApproval": "Quarterdeck answers item/commandExecution/requestApproval only",
}
"""Requests that no client like us can ever answer, and why: these, and no others, get an error reply."""


def to_request(asked: Asked, key: ours.RequestKey) -> ours.Request:
    """A request for somebody to decide on. Of a file change without its diff: see `to_file_approval`."""
    reader = READERS.get(asked.method)
    if reader is None:
        return to_other(asked, key)
    try:
        return reader(asked.params, key)
    except ValueError:
        return to_other(asked, key)


def to_other(asked: Asked, key: ours.RequestKey) -> ours.OtherRequest:
    fields = fields_of(asked.params)
    turn_id = fields.get("turnId")
    return ours.OtherRequest(
        key=key,
        thread_id=str(fields.get("threadId", "")),
        turn_id=turn_id if isinstance(turn_id, str) else None,
        item_id=str(fields.get("itemId", "")),
        method=asked.method,
        raw=to_text(asked.params),
    )


def to_file_approval(
    key: ours.RequestKey, asked: wire.FileChangeRequest, changes: tuple[Change, ...] | None
) -> ours.FileApproval:
    """A file approval with its joined diff. `changes` None: it cannot be had, so only declining is offered."""
    return ours.FileApproval(
        key=key,
        thread_id=asked.thread_id,
        turn_id=asked.turn_id,
        item_id=asked.item_id,
        asked_at_ms=asked.started_at_ms,
        changes=changes or (),
        reason=asked.reason,
        grant_root=asked.grant_root,
        choices=choices(FILE_DECISIONS if changes else BLIND_DECISIONS),
    )


def _file_change(asked: wire.FileChangeRequest, key: ours.RequestKey) -> ours.Request:
    return to_file_approval(key, asked, None)


def _command(asked: wire.CommandRequest, key: ours.RequestKey) -> ours.Request:
    context = asked.network_approval_context
    return ours.CommandApproval(
        key=key,
        thread_id=asked.thread_id,
        turn_id=asked.turn_id,
        item_id=asked.item_id,
        asked_at_ms=asked.started_at_ms,
        command=asked.command or "",
        cwd=asked.cwd or "",
        reason=asked.reason,
        stdin=asked.kind == "writeStdin",
        network_host=context.host if context else None,
        proposed_rule=asked.proposed_execpolicy_amendment or (),
        rights=rights_of(asked.additional_permissions or {}),
        choices=choices(COMMAND_DEFAULT if asked.available_decisions is None else asked.available_decisions),
    )


def _permissions(asked: wire.PermissionsRequest, key: ours.RequestKey) -> ours.Request:
    return ours.PermissionsApproval(
        key=key,
        thread_id=asked.thread_id,
        turn_id=asked.turn_id,
        item_id=asked.item_id,
        asked_at_ms=asked.started_at_ms,
        cwd=asked.cwd,
        rights=rights_of(asked.permissions),
        reason=asked.reason,
    )


def _question(asked: wire.QuestionRequest, key: ours.RequestKey) -> ours.Request:
    parts = tuple(
        ours.QuestionPart(
            id=part.id,
            header=part.header,
            text=part.question,
            options=tuple(
                ours.Option(label=option.label, description=option.description)
                for option in part.options or ()
            ),
            other=part.is_other,
            secret=part.is_secret,
        )
        for part in asked.questions
    )
    return ours.Question(
        key=key,
        thread_id=asked.thread_id,
        turn_id=asked.turn_id,
        item_id=asked.item_id,
        parts=parts,
        blocking=asked.is_blocking,
    )


def _elicitation(asked: wire.ElicitationRequest, key: ours.RequestKey) -> ours.Request:
    if asked.mode == "url" and asked.url:
        return ours.McpLink(
            key=key,
            thread_id=asked.thread_id,
            turn_id=asked.turn_id,
            item_id="",
            server=asked.server_name,
            message=asked.message,
            url=asked.url,
        )
    if asked.requested_schema is None:
        raise ValueError(f"an elicitation of mode {asked.mode}")
    meta = _codex_meta(asked.meta)
    return ours.McpForm(
        key=key,
        thread_id=asked.thread_id,
        turn_id=asked.turn_id,
        item_id="",
        server=asked.server_name,
        message=asked.message,
        form_json=to_text(asked.requested_schema),
        approval_kind=meta.approval_kind,
        persist=meta.persist,
        arguments=None if meta.tool_params is None else to_text(meta.tool_params),
    )


def _codex_meta(meta: JsonValue) -> wire.ElicitationMeta:
    """Codex's own notes. An MCP server may put anything else there: then there are none."""
    try:
        return wire.ElicitationMeta.model_validate(meta)
    except ValidationError:
        return wire.ElicitationMeta()


def _tool_call(asked: wire.ToolCallRequest, key: ours.RequestKey) -> ours.Request:
    return ours.ToolRequest(
        key=key,
        thread_id=asked.thread_id,
        turn_id=asked.turn_id,
        item_id=asked.call_id,
        tool=f"{asked.namespace}.{asked.tool}" if asked.namespace else asked.tool,
        arguments=to_text(asked.arguments),
    )


READERS: dict[str, Reader[Any, [ours.RequestKey], ours.Request]] = {
    "item/commandExecution/requestApproval": Reader(wire.CommandRequest, _command),
    FILE_CHANGE: Reader(wire.FileChangeRequest, _file_change),
    "item/permissions/requestApproval": Reader(wire.PermissionsRequest, _permissions),
    "item/tool/requestUserInput": Reader(wire.QuestionRequest, _question),
    "mcpServer/elicitation/request": Reader(wire.ElicitationRequest, _elicitation),
    "item/tool/call": Reader(wire.ToolCallRequest, _tool_call),
}

_ANSWERED_BY: Mapping[str, type[ours.Answer]] = {
    "item/commandExecution/requestApproval": ours.Decide,
    FILE_CHANGE: ours.Decide,
    "item/permissions/requestApproval": ours.Grant,
    "item/tool/requestUserInput": ours.Reply,
    "mcpServer/elicitation/request": ours.Elicited,
    "item/tool/call": ours.ToolResult,
}


def to_wire_answer(method: str, answer: ours.Answer) -> wire.AnswerModel:
    """The answer to a request of `method`. Raises InvalidRequest for one of another kind's.

    That must never be sent: Codex takes a malformed answer as a refusal and goes on (PROTOCOL).
    """
    expected = _ANSWERED_BY.get(method)
    if expected is None or not isinstance(answer, expected):
        raise InvalidRequest(
            "The answer was not sent", why=f"{answer.kind!r} is not what {method} is answered with"
        )
    match answer:
        case ours.Decide():
            if answer.choice.verb not in KNOWN_VERBS:
                raise InvalidRequest(
                    "The answer was not sent", why=f"nobody here knows what {answer.choice.label} does"
                )
            return wire.DecisionAnswer(decision=from_json(answer.choice.raw))
        case ours.Grant():
            return wire.PermissionsAnswer(permissions=granted(answer.rights), scope=answer.scope)
        case ours.Reply():
            return wire.QuestionAnswer(
                answers={part: wire.QuestionAnswers(answers=said) for part, said in answer.answers.items()}
            )
        case ours.Elicited():
            return _elicited(answer)
        case ours.ToolResult():
            text = wire.TextContent(text=answer.text)
            return wire.ToolCallAnswer(success=answer.success, content_items=(text,))


def _elicited(answer: ours.Elicited) -> wire.ElicitationAnswer:
    """Only an accepted form has contents, and only an accept can be kept for later."""
    if answer.action != "accept":
        return wire.ElicitationAnswer(action=answer.action)
    return wire.ElicitationAnswer(
        action="accept",
        content=from_json(answer.content_json) if answer.content_json else None,
        meta=wire.PersistMeta(persist=answer.persist) if answer.persist else None,
    )
