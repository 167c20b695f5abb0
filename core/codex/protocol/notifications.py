"""What Codex tells without being asked: the `params` of each notification that we read."""

from __future__ import annotations

from pydantic import JsonValue

from core.codex.protocol.base import Wire
from core.codex.protocol.items import FileUpdateChange


class ThreadStatus(Wire):
    """`type`: notLoaded, idle, active, systemError. `active_flags`: waitingOnApproval, waitingOnUserInput."""

    type: str
    active_flags: tuple[str, ...] = ()


class StartedThread(Wire):
    id: str
    cwd: str = ""
    preview: str = ""
    ephemeral: bool = False


class ThreadStarted(Wire):
    thread: StartedThread


class ThreadStatusChanged(Wire):
    thread_id: str
    status: ThreadStatus


class ThreadNameUpdated(Wire):
    thread_id: str
    thread_name: str | None = None


class TurnError(Wire):
    """`codex_error_info` is a word, or an object whose one key is the word."""

    message: str = ""
    codex_error_info: JsonValue = None
    additional_details: str | None = None


class Turn(Wire):
    """`status`: inProgress, completed, interrupted, failed. `started_at`: Unix seconds."""

    id: str
    status: str
    error: TurnError | None = None
    duration_ms: int | None = None
    started_at: int | None = None


class TurnNotification(Wire):
    """turn/started and turn/completed."""

    thread_id: str
    turn: Turn


class ItemNotification(Wire):
    """item/started and item/completed."""

    thread_id: str
    turn_id: str
    item: dict[str, JsonValue]


class TextDelta(Wire):
    """The deltas of agentMessage, plan, command output and file change output."""

    thread_id: str
    turn_id: str
    item_id: str
    delta: str


class SummaryDelta(TextDelta):
    summary_index: int = 0


class ReasoningDelta(TextDelta):
    content_index: int = 0


class TerminalInteraction(Wire):
    thread_id: str
    turn_id: str
    item_id: str
    stdin: str


class McpProgress(Wire):
    thread_id: str
    turn_id: str
    item_id: str
    message: str


class PatchUpdated(Wire):
    thread_id: str
    turn_id: str
    item_id: str
    changes: tuple[FileUpdateChange, ...]


class PlanStep(Wire):
    step: str
    status: str


class PlanUpdated(Wire):
    thread_id: str
    turn_id: str
    explanation: str | None = None
    plan: tuple[PlanStep, ...]


class DiffUpdated(Wire):
    thread_id: str
    turn_id: str
    diff: str


class TokenCount(Wire):
    total_tokens: int
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    reasoning_output_tokens: int = 0


class TokenUsage(Wire):
    total: TokenCount
    last: TokenCount
    model_context_window: int | None = None


class TokenUsageUpdated(Wire):
    thread_id: str
    token_usage: TokenUsage


class SandboxInfo(Wire):
    """`type`: readOnly, workspaceWrite, dangerFullAccess, externalSandbox."""

    type: str


class ModeTold(Wire):
    """How a thread works: `plan`, `default`, or a word that is new."""

    mode: str


class ThreadSettings(Wire):
    """`approval_policy` is a word or an object."""

    model: str
    effort: str | None = None
    sandbox_policy: SandboxInfo
    approval_policy: JsonValue
    collaboration_mode: ModeTold | None = None


class ThreadSettingsUpdated(Wire):
    thread_id: str
    thread_settings: ThreadSettings


class RateLimitWindow(Wire):
    used_percent: int
    window_duration_mins: int | None = None
    resets_at: int | None = None


class RateLimitSnapshot(Wire):
    primary: RateLimitWindow | None = None
    secondary: RateLimitWindow | None = None
    plan_type: str | None = None


class RateLimitsUpdated(Wire):
    """The notification, and the answer to account/rateLimits/read."""

    rate_limits: RateLimitSnapshot


class RequestResolved(Wire):
    thread_id: str
    request_id: int | str


class ErrorNotification(Wire):
    error: TurnError
    will_retry: bool = False
    thread_id: str
    turn_id: str


class WarningNote(Wire):
    """warning and guardianWarning."""

    message: str
    thread_id: str | None = None


class SummaryNote(Wire):
    """configWarning and deprecationNotice."""

    summary: str
    details: str | None = None


class McpStartup(Wire):
    """`status`: starting, ready, failed, cancelled."""

    name: str
    status: str
    error: str | None = None
    thread_id: str | None = None


class ModelRerouted(Wire):
    thread_id: str
    from_model: str
    to_model: str


class LoginCompleted(Wire):
    success: bool
    error: str | None = None
