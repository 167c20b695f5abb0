"""Notifications -> `core.agent.events`. Never raises: what it cannot read becomes an `UnknownEvent`.

The host's generation is not on the wire, so `serverRequest/resolved` is left to `intake`.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from typing import Any

from core.agent import events as ours
from core.codex.listing import failure_code, to_failure, to_limits, to_settings, to_turn_status
from core.codex.protocol import notifications as wire
from core.codex.protocol.base import Nothing, Reader
from core.codex.protocol.lookups import ExecOutput
from core.codex.protocol.threads import ThreadParams
from core.codex.rpc import Told
from core.codex.translate import to_item, to_text

Events = tuple[ours.AgentEvent, ...]

QUIET = frozenset(
    {
        "item/fileChange/patchUpdated",
        "item/reasoning/summaryPartAdded",
        "remoteControl/status/changed",
        "skills/changed",
        "thread/goal/cleared",
        "thread/readState/changed",
    }
)
"""Notifications that tell nothing that is used as an event; a patch that was updated is used in `patches`."""


def to_events(told: Told) -> Events:
    """What a notification tells us: mostly one event. Never raises."""
    if told.method in QUIET:
        return ()
    reader = READERS.get(told.method)
    if reader is None:
        return (unknown(told),)
    try:
        return reader(told.params)
    except ValueError:
        return (unknown(told),)


def unknown(told: Told) -> ours.UnknownEvent:
    return ours.UnknownEvent(told.method, to_text(told.params))


def _thread_started(told: wire.ThreadStarted) -> Events:
    """Ephemeral threads are Codex's own, such as the one that finds a title: no sessions of anybody's."""
    thread = told.thread
    return () if thread.ephemeral else (ours.ThreadAppeared(thread.id, thread.cwd, thread.preview),)


def _thread_status(told: wire.ThreadStatusChanged) -> Events:
    status = told.status
    waiting = frozenset(status.active_flags)
    return (ours.ThreadStatusChanged(told.thread_id, status.type == "active", waiting),)


def _thread_name(told: wire.ThreadNameUpdated) -> Events:
    return (ours.ThreadRenamed(told.thread_id, told.thread_name or ""),)


def _turn_started(told: wire.TurnNotification) -> Events:
    return (ours.TurnStarted(told.thread_id, told.turn.id),)


def _turn_completed(told: wire.TurnNotification) -> Events:
    turn = told.turn
    ended = ours.TurnEnded(told.thread_id, turn.id, to_turn_status(turn), to_failure(turn), turn.duration_ms)
    return (ended,)


def _item_started(told: wire.ItemNotification) -> Events:
    return (ours.ItemStarted(told.thread_id, told.turn_id, to_item(told.item)),)


def _item_completed(told: wire.ItemNotification) -> Events:
    return (ours.ItemCompleted(told.thread_id, told.turn_id, to_item(told.item)),)


def _text(channel: ours.Channel) -> Callable[[wire.TextDelta], Events]:
    def read(told: wire.TextDelta) -> Events:
        return (ours.Delta(told.thread_id, told.turn_id, told.item_id, channel, told.delta),)

    return read


def _summary(told: wire.SummaryDelta) -> Events:
    channel, part = ours.Channel.SUMMARY, told.summary_index
    return (ours.Delta(told.thread_id, told.turn_id, told.item_id, channel, told.delta, part),)


def _reasoning(told: wire.ReasoningDelta) -> Events:
    channel, part = ours.Channel.REASONING, told.content_index
    return (ours.Delta(told.thread_id, told.turn_id, told.item_id, channel, told.delta, part),)


def _stdin(told: wire.TerminalInteraction) -> Events:
    return (ours.Delta(told.thread_id, told.turn_id, told.item_id, ours.Channel.STDIN, told.stdin),)


def _progress(told: wire.McpProgress) -> Events:
    return (ours.Delta(told.thread_id, told.turn_id, told.item_id, ours.Channel.PROGRESS, told.message),)


def _plan(told: wire.PlanUpdated) -> Events:
    steps = tuple(ours.PlanStep(step.step, step.status) for step in told.plan)
    return (ours.PlanUpdated(told.thread_id, told.turn_id, told.explanation or "", steps),)


def _diff(told: wire.DiffUpdated) -> Events:
    return (ours.DiffUpdated(told.thread_id, told.turn_id, told.diff),)


def _usage(told: wire.TokenUsageUpdated) -> Events:
    usage = told.token_usage
    total = usage.total
    tokens = ours.Tokens(
        total.input_tokens, total.cached_input_tokens, total.output_tokens, total.reasoning_output_tokens
    )
    context, window = usage.last.total_tokens, usage.model_context_window
    return (ours.UsageUpdated(told.thread_id, total.total_tokens, context, window, tokens),)


def _settings(told: wire.ThreadSettingsUpdated) -> Events:
    return (ours.SettingsChanged(told.thread_id, to_settings(told.thread_settings)),)


def _limits(told: wire.RateLimitsUpdated) -> Events:
    return (ours.LimitsUpdated(to_limits(told.rate_limits)),)


def _error(told: wire.ErrorNotification) -> Events:
    """An error that ends the turn comes again with turn/completed; one that is retried comes only here."""
    level = "warning" if told.will_retry else "error"
    text = told.error.message or failure_code(told.error)
    return (ours.Notice(told.thread_id, level, _joined(text, told.error.additional_details)),)


def _warning(told: wire.WarningNote) -> Events:
    return (ours.Notice(told.thread_id, "warning", told.message),)


def _config_warning(told: wire.SummaryNote) -> Events:
    return (ours.Notice(None, "warning", _joined(told.summary, told.details)),)


def _deprecation(told: wire.SummaryNote) -> Events:
    return (ours.Notice(None, "info", _joined(told.summary, told.details)),)


def _mcp_startup(told: wire.McpStartup) -> Events:
    if told.status != "failed":
        return ()
    text = f"The MCP server {told.name} did not start"
    return (ours.Notice(told.thread_id, "warning", _joined(text, told.error)),)


def _rerouted(told: wire.ModelRerouted) -> Events:
    text = f"Codex goes on with {told.to_model} instead of {told.from_model}"
    return (ours.Notice(told.thread_id, "warning", text),)


def _login(told: wire.LoginCompleted) -> Events:
    return (ours.LoginCompleted(told.success, told.error or ""),)


def _account(_: Nothing) -> Events:
    return (ours.AccountChanged(),)


def _shelved(*, archived: bool) -> Callable[[ThreadParams], Events]:
    return lambda told: (ours.ThreadShelved(told.thread_id, archived),)


def _deleted(told: ThreadParams) -> Events:
    return (ours.ThreadDeleted(told.thread_id),)


def _reverted(told: ThreadParams) -> Events:
    return (ours.ThreadReverted(told.thread_id),)


def _exec_said(told: ExecOutput) -> Events:
    return (ours.ExecSaid(told.process_id, told.stream, b64decode(told.delta_base64), told.cap_reached),)


def _joined(text: str, details: str | None) -> str:
    return f"{text}: {details}" if details else text


READERS: dict[str, Reader[Any, [], Events]] = {
    "thread/started": Reader(wire.ThreadStarted, _thread_started),
    "thread/status/changed": Reader(wire.ThreadStatusChanged, _thread_status),
    "thread/name/updated": Reader(wire.ThreadNameUpdated, _thread_name),
    "thread/archived": Reader(ThreadParams, _shelved(archived=True)),
    "thread/unarchived": Reader(ThreadParams, _shelved(archived=False)),
    "thread/deleted": Reader(ThreadParams, _deleted),
    "thread/reverted": Reader(ThreadParams, _reverted),
    "turn/started": Reader(wire.TurnNotification, _turn_started),
    "turn/completed": Reader(wire.TurnNotification, _turn_completed),
    "turn/plan/updated": Reader(wire.PlanUpdated, _plan),
    "turn/diff/updated": Reader(wire.DiffUpdated, _diff),
    "item/started": Reader(wire.ItemNotification, _item_started),
    "item/completed": Reader(wire.ItemNotification, _item_completed),
    "item/agentMessage/delta": Reader(wire.TextDelta, _text(ours.Channel.MESSAGE)),
    "item/plan/delta": Reader(wire.TextDelta, _text(ours.Channel.PLAN)),
    "item/commandExecution/outputDelta": Reader(wire.TextDelta, _text(ours.Channel.OUTPUT)),
    "item/fileChange/outputDelta": Reader(wire.TextDelta, _text(ours.Channel.OUTPUT)),
    "item/reasoning/summaryTextDelta": Reader(wire.SummaryDelta, _summary),
    "item/reasoning/textDelta": Reader(wire.ReasoningDelta, _reasoning),
    "item/commandExecution/terminalInteraction": Reader(wire.TerminalInteraction, _stdin),
    "item/mcpToolCall/progress": Reader(wire.McpProgress, _progress),
    "thread/tokenUsage/updated": Reader(wire.TokenUsageUpdated, _usage),
    "thread/settings/updated": Reader(wire.ThreadSettingsUpdated, _settings),
    "account/rateLimits/updated": Reader(wire.RateLimitsUpdated, _limits),
    "error": Reader(wire.ErrorNotification, _error),
    "warning": Reader(wire.WarningNote, _warning),
    "guardianWarning": Reader(wire.WarningNote, _warning),
    "configWarning": Reader(wire.SummaryNote, _config_warning),
    "deprecationNotice": Reader(wire.SummaryNote, _deprecation),
    "mcpServer/startupStatus/updated": Reader(wire.McpStartup, _mcp_startup),
    "model/rerouted": Reader(wire.ModelRerouted, _rerouted),
    "account/login/completed": Reader(wire.LoginCompleted, _login),
    "command/exec/outputDelta": Reader(ExecOutput, _exec_said),
    "account/updated": Reader(Nothing, _account),
}
