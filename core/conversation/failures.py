"""How a turn failed, and what may be done about it. Pure."""

from __future__ import annotations

from core.agent.events import TurnFailure

_RETRYABLE = frozenset(
    {
        "usageLimitExceeded",
        "serverOverloaded",
        "internalServerError",
        "httpConnectionFailed",
        "responseStreamConnectionFailed",
        "responseStreamDisconnected",
        "responseTooManyFailedAttempts",
        "unauthorized",
        "other",
    }
)
"""Failures (PROTOCOL, Turns: codexErrorInfo) after which the same input may well succeed."""


def may_succeed_again(failure: TurnFailure) -> bool:
    """May the same input, run again, succeed?"""
    return failure.code in _RETRYABLE
