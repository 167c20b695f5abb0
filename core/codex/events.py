"""Notifications -> `core.agent.events`. Never raises: what it cannot read becomes an `UnknownEvent`.

The host's generation is not on the wire, so `serverRequest/resolved` is left to `intake`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from core.agent import events as ours
from core.codex.listing import failure_code, to_failure, to_turn_status
from core.codex.protocol import notifications as wire
from core.codex.protocol.base import Nothing, Wire
from core.codex.rpc import Told
from core.codex.translate import to_item, to_text

QUIET = frozenset(
    {
        "account/rateLimits/updated",
        "item/fileChange/patchUpdated",
        "item/reasoning/summaryPartAdded",
        "remoteControl/status/changed",
        "skills/changed",
        "thread/goal/cleared",
        "thread/readState/changed",
    }
)
"""Notifications that tell nothing that is used as an event; a patch that was updated is used in `patches`."""


def to_events(told: Told) -> tuple[ours.AgentEvent, ...]:
    """What a notification tells us: mostly one event. Never raises."""
    if told.method in QUIET:
        return ()
    reader = _READERS.get(told.method)
    if reader is None:
        return (unknown(told),)
    try:
        return reader(told.params)
    except ValueError:
        return (unknown(told),)


def unknown(told: Told) -> ours.UnknownEvent:
    return ours.UnknownEvent(told.method, to_text(told.params))


def _thread_started(told: wire.ThreadStarted) -> tuple[ours.AgentEvent, ...]:
    """Ephemeral threads are Codex's own, such as the one that finds a title: no sessions of anybody's."""
    thread = told.thread
    return () if thread.ephemeral else (ours.ThreadAppeared(thread.id, thread.cwd, thread.preview),)


def _thread_status(told: wire.ThreadStatusChanged) -> tuple[ours.AgentEvent, ...]:
    status = told.status
    waiting = frozenset(status.active_flags)
    return (ours.ThreadStatusChanged(told.thread_id, status.type == "active", waiting),)


def _thread_name(told: wire.ThreadNameUpdated) -> tuple[ours.AgentEvent, ...]:
    return (ours.ThreadRenamed(told.thread_id, told.thread_name or ""),)


def _turn_started(told: wire.TurnNotification) -> tuple[ours.AgentEvent, ...]:
    return (ours.TurnStarted(told.thread_id, told.turn.id),)


def _turn_completed(told: wire.TurnNotification) -> tuple[ours.AgentEvent, ...]:
    turn = told.turn
    ended = ours.TurnEnded(told.thread_id, turn.id, to_turn_status(turn), to_failure(turn), turn.duration_ms)
    return (ended,)


def _item_started(told: wire.ItemNotification) -> tuple[ours.AgentEvent, ...]:
    return (ours.ItemStarted(told.thread_id, told.turn_id, to_item(told.item)),)


def _item_completed(told: wire.ItemNotification) -> tuple[ours.AgentEvent, ...]:
    return (ours.ItemCompleted(told.thread_id, told.turn_id, to_item(told.item)),)


def _text(channel: ours.Channel) -> Callable[[wire.TextDelta], tuple[ours.AgentEvent, ...]]:
    def read(told: wire.TextDelta) -> tuple[ours.AgentEvent, ...]:
        return (ours.Delta(told.thread_id, told.turn_id, told.item_id, channel, told.delta),)

    return read


def _summary(told: wire.SummaryDelta) -> tuple[ours.AgentEvent, ...]:
    channel, part = ours.Channel.SUMMARY, told.summary_index
    return (ours.Delta(told.thread_id, told.turn_id, told.item_id, channel, told.delta, part),)


def _reasoning(told: wire.ReasoningDelta) -> tuple[ours.AgentEvent, ...]:
    channel, part = ours.Channel.REASONING, told.content_index
    return (ours.Delta(told.thread_id, told.turn_id, told.item_id, channel, told.delta, part),)


def _stdin(told: wire.TerminalInteraction) -> tuple[ours.AgentEvent, ...]:
    return (ours.Delta(told.thread_id, told.turn_id, told.item_id, ours.Channel.STDIN, told.stdin),)


def _progress(told: wire.McpProgress) -> tuple[ours.AgentEvent, ...]:
    return (ours.Delta(told.thread_id, told.turn_id, told.item_id, ours.Channel.PROGRESS, told.message),)


def _plan(told: wire.PlanUpdated) -> tuple[ours.AgentEvent, ...]:
    steps = tuple(ours.PlanStep(step.step, step.status) for step in told.plan)
    return (ours.PlanUpdated(told.thread_id, told.turn_id, told.explanation or "", steps),)


def _diff(told: wire.DiffUpdated) -> tuple[ours.AgentEvent, ...]:
    return (ours.DiffUpdated(told.thread_id, told.turn_id, told.diff),)


def _usage(told: wire.TokenUsageUpdated) -> tuple[ours.AgentEvent, ...]:
    usage = told.token_usage
    total, context = usage.total.total_tokens, usage.last.total_tokens
    return (ours.UsageUpdated(told.thread_id, total, context, usage.model_context_window),)


def _error(told: wire.ErrorNotification) -> tuple[ours.AgentEvent, ...]:
    """An error that ends the turn comes again with turn/completed; one that is retried comes only here."""
    level = "warning" if told.will_retry else "error"
    text = told.error.message or failure_code(told.error)
    return (ours.Notice(told.thread_id, level, _joined(text, told.error.additional_details)),)


def _warning(told: wire.WarningNote) -> tuple[ours.AgentEvent, ...]:
    return (ours.Notice(told.thread_id, "warning", told.message),)


def _config_warning(told: wire.SummaryNote) -> tuple[ours.AgentEvent, ...]:
    return (ours.Notice(None, "warning", _joined(told.summary, told.details)),)


def _deprecation(told: wire.SummaryNote) -> tuple[ours.AgentEvent, ...]:
    return (ours.Notice(None, "info", _joined(told.summary, told.details)),)


def _mcp_startup(told: wire.McpStartup) -> tuple[ours.AgentEvent, ...]:
    if told.status != "failed":
        return ()
    text = f"The MCP server {told.name} did not start"
    return (ours.Notice(told.thread_id, "warning", _joined(text, told.error)),)


def _rerouted(told: wire.ModelRerouted) -> tuple[ours.AgentEvent, ...]:
    text = f"Codex goes on with {told.to_model} instead of {told.from_model}"
    return (ours.Notice(told.thread_id, "warning", text),)


def _login(told: wire.LoginCompleted) -> tuple[ours.AgentEvent, ...]:
    return (ours.LoginCompleted(told.success, told.error or ""),)


def _account(_: Nothing) -> tuple[ours.AgentEvent, ...]:
    return (ours.AccountChanged(),)


def _joined(text: str, details: str | None) -> str:
    return f"{text}: {details}" if details else text


W = TypeVar("W", bound=Wire)
Reader = Callable[[object], tuple[ours.AgentEvent, ...]]


def _of(model: type[W], read: Callable[[W], tuple[ours.AgentEvent, ...]]) -> Reader:
    return lambda params: read(model.model_validate(params))


_READERS: dict[str, Reader] = {
    "thread/started": _of(wire.ThreadStarted, _thread_started),
    "thread/status/changed": _of(wire.ThreadStatusChanged, _thread_status),
    "thread/name/updated": _of(wire.ThreadNameUpdated, _thread_name),
    "turn/started": _of(wire.TurnNotification, _turn_started),
    "turn/completed": _of(wire.TurnNotification, _turn_completed),
    "turn/plan/updated": _of(wire.PlanUpdated, _plan),
    "turn/diff/updated": _of(wire.DiffUpdated, _diff),
    "item/started": _of(wire.ItemNotification, _item_started),
    "item/completed": _of(wire.ItemNotification, _item_completed),
    "item/agentMessage/delta": _of(wire.TextDelta, _text(ours.Channel.MESSAGE)),
    "item/plan/delta": _of(wire.TextDelta, _text(ours.Channel.PLAN)),
    "item/commandExecution/outputDelta": _of(wire.TextDelta, _text(ours.Channel.OUTPUT)),
    "item/fileChange/outputDelta": _of(wire.TextDelta, _text(ours.Channel.OUTPUT)),
    "item/reasoning/summaryTextDelta": _of(wire.SummaryDelta, _summary),
    "item/reasoning/textDelta": _of(wire.ReasoningDelta, _reasoning),
    "item/commandExecution/terminalInteraction": _of(wire.TerminalInteraction, _stdin),
    "item/mcpToolCall/progress": _of(wire.McpProgress, _progress),
    "thread/tokenUsage/updated": _of(wire.TokenUsageUpdated, _usage),
    "error": _of(wire.ErrorNotification, _error),
    "warning": _of(wire.WarningNote, _warning),
    "guardianWarning": _of(wire.WarningNote, _warning),
    "configWarning": _of(wire.SummaryNote, _config_warning),
    "deprecationNotice": _of(wire.SummaryNote, _deprecation),
    "mcpServer/startupStatus/updated": _of(wire.McpStartup, _mcp_startup),
    "model/rerouted": _of(wire.ModelRerouted, _rerouted),
    "account/login/completed": _of(wire.LoginCompleted, _login),
    "account/updated": _of(Nothing, _account),
}
