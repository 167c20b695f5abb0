"""Threads, turns, models and accounts as Codex tells them -> `core.agent.port`'s values."""

from __future__ import annotations

from dataclasses import replace

from core.agent.events import LimitWindow, RateLimits, RunSettings, TurnFailure, TurnStatus
from core.agent.port import Account, ItemEntry, Model, ThreadInfo, TurnInfo
from core.codex.protocol.calls import AccountRead, Config, ModelInfo
from core.codex.protocol.notifications import ModeTold, RateLimitSnapshot, ThreadSettings, Turn, TurnError
from core.codex.protocol.threads import ListedItem, OpenedThread, ResumedThread, Thread
from core.codex.standing import CLIENT_NAME
from core.codex.translate import fields_of, to_item

_STATUS = {
    "completed": TurnStatus.COMPLETED,
    "interrupted": TurnStatus.INTERRUPTED,
    "failed": TurnStatus.FAILED,
}
_SANDBOX = {
    "readOnly": "read-only",
    "workspaceWrite": "workspace-write",
    "dangerFullAccess": "danger-full-access",
}
_ACCOUNTS = {"apiKey": "API key", "chatgpt": "ChatGPT", "amazonBedrock": "Amazon Bedrock"}


def to_thread(thread: Thread) -> ThreadInfo:
    """A thread of a listing. Which sandbox and approval policy it has, Codex tells only when it is opened."""
    return ThreadInfo(
        id=thread.id,
        cwd=thread.cwd,
        preview=thread.preview,
        name=thread.name,
        created_at=thread.created_at,
        updated_at=thread.updated_at,
        active=thread.status.type == "active",
        model=thread.model or "",
        model_provider=thread.model_provider,
        effort=thread.reasoning_effort,
        source=CLIENT_NAME if thread.originator == CLIENT_NAME else keyword(thread.source),
        path=thread.path,
        branch=thread.git_info.branch if thread.git_info else None,
        parent_id=thread.parent_thread_id or _spawned_by(thread),
        sub_agent="subAgent" in fields_of(thread.source),
        forked_from_id=thread.forked_from_id,
        waits=bool(thread.status.active_flags),
        ephemeral=thread.ephemeral,
    )


def _spawned_by(thread: Thread) -> str | None:
    """The thread that began a sub-agent's: after a restart Codex tells it in the source alone, of a reviewer nowhere
    (seen on 0.163)."""
    spawn = fields_of(fields_of(fields_of(thread.source).get("subAgent")).get("thread_spawn"))
    parent = spawn.get("parent_thread_id")
    return parent if isinstance(parent, str) else None


def to_opened_thread(opened: OpenedThread) -> ThreadInfo:
    """A thread that was started, resumed or forked, with what it runs under."""
    return replace(
        to_thread(opened.thread),
        model=opened.model,
        model_provider=opened.model_provider,
        effort=opened.reasoning_effort,
        sandbox=_SANDBOX.get(opened.sandbox.type, opened.sandbox.type),
        approvals=keyword(opened.approval_policy),
        planning=_plans(opened.collaboration_mode) if isinstance(opened, ResumedThread) else False,
    )


def to_settings(told: ThreadSettings) -> RunSettings:
    sandbox = told.sandbox_policy.type
    return RunSettings(
        told.model,
        told.effort,
        _SANDBOX.get(sandbox, sandbox),
        keyword(told.approval_policy) or None,
        _plans(told.collaboration_mode),
    )


def _plans(mode: ModeTold | None) -> bool:
    return mode is not None and mode.mode == "plan"


def to_beginning(config: Config) -> RunSettings:
    """What a thread that is started now begins with, as far as the settings say."""
    return RunSettings(
        config.model or "",
        config.model_reasoning_effort,
        config.sandbox_mode,
        keyword(config.approval_policy) or None,
    )


def to_limits(snapshot: RateLimitSnapshot) -> RateLimits:
    windows = (window for window in (snapshot.primary, snapshot.secondary) if window is not None)
    return RateLimits(
        tuple(
            LimitWindow(window.used_percent, window.window_duration_mins, window.resets_at)
            for window in windows
        ),
        snapshot.plan_type or "",
    )


def to_turn(turn: Turn) -> TurnInfo:
    if turn.status == "inProgress":
        return TurnInfo(turn.id, None, started_at=turn.started_at)
    return TurnInfo(turn.id, to_turn_status(turn), to_failure(turn), turn.started_at)


def to_turn_status(turn: Turn) -> TurnStatus:
    """How an ended turn ended. A way that this version does not know counts as failed: `to_failure` names it."""
    return _STATUS.get(turn.status, TurnStatus.FAILED)


def to_failure(turn: Turn) -> TurnFailure | None:
    """Why a turn failed; None for one that did not."""
    if turn.error is not None:
        return TurnFailure(failure_code(turn.error), turn.error.message)
    if turn.status in _STATUS:
        return None
    return TurnFailure("other", f"The turn ended as {turn.status}.")


def failure_code(error: TurnError) -> str:
    """Codex's word for what went wrong (PROTOCOL, Turns), or "other"."""
    return keyword(error.codex_error_info) or "other"


def to_entry(listed: ListedItem) -> ItemEntry:
    return ItemEntry(listed.turn_id, to_item(listed.item), listed.started_at_ms or 0)


def to_model(model: ModelInfo) -> Model:
    return Model(
        id=model.model,
        name=model.display_name,
        description=model.description,
        efforts=tuple(option.reasoning_effort for option in model.supported_reasoning_efforts),
        default_effort=model.default_reasoning_effort,
        is_default=model.is_default,
        effort_words=tuple(option.description for option in model.supported_reasoning_efforts),
    )


def to_account(read: AccountRead) -> Account:
    account = read.account
    label = "" if account is None else account.email or _ACCOUNTS.get(account.type, account.type)
    return Account(signed_in=account is not None, needed=read.requires_openai_auth, label=label)


def keyword(value: object) -> str:
    """An enum of the protocol: a word, or an object whose one key is the word. "" for neither."""
    return value if isinstance(value, str) else next(iter(fields_of(value)), "")
