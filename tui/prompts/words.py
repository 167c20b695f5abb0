"""What is said of a notification. Pure, but for the clock that `age` is given."""

from __future__ import annotations

from core.conversation.feed import Notification, NotificationState
from tui.transcript import safe


def outcome(notification: Notification) -> str:
    """What became of it, for the person."""
    by = f" by {safe.line(notification.decided_by, 60)}" if notification.decided_by else ""
    match notification.state:
        case NotificationState.PENDING:
            return ""
        case NotificationState.WITHDRAWN:
            why = safe.line(notification.outcome, 80) or "answered elsewhere, or its turn ended"
            return f"No longer asked{by}: {why}"
        case NotificationState.DIED:
            return "Nobody decided: Codex went away while it asked"
        case _:
            return f"Answered{by}"


def age(notification: Notification, now_ms: float) -> str:
    """How long it has waited, in words; "" while that is under a minute or unknown."""
    if not notification.raised_at_ms:
        return ""
    minutes = int(now_ms - notification.raised_at_ms) // 60_000
    if minutes < 1:
        return ""
    return f"waits {minutes} min" if minutes < 120 else f"waits {minutes // 60} h"
