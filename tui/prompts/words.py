"""What is said of a notification. Pure, but for the clock that `age` is given."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from textual.content import Content

from core.conversation.feed import Notification, NotificationState
from core.conversation.info import ConversationInfo
from tui.transcript import safe

_CODEX_SHELL = re.compile(r"(?:/usr)?/bin/bash -lc (?=[^\s])")
_READ_WHOLE = 2_000
"""Characters of a command up to which its quotes are taken off as a shell does it."""


def inner_command(command: str) -> str:
    """For a line of a list: without the shell that Codex puts around every command. `command` may be cut at its end.

    What is decided on, or was, is shown with it.
    """
    shell = _CODEX_SHELL.match(command)
    if shell is None:
        return command
    rest = command[shell.end() :]
    try:
        words = shlex.split(rest) if len(rest) <= _READ_WHOLE else [rest]
    except ValueError:
        return rest.removeprefix("'")
    return words[0].removeprefix("'") if len(words) == 1 else command


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


def whence(notification: Notification, title: str) -> Content:
    """Where it comes from, and why a person is asked and no rule or profile decided."""
    facts: list[str] = []
    if title:
        facts.append(f"in {safe.line(title, 60)}")
    if notification.profile:
        facts.append(f"profile {safe.line(notification.profile, 40)}")
    if notification.why_asked:
        facts.append(f"you are asked: {safe.line(notification.why_asked, 300)}")
    return Content(" · ".join(facts))


def asker(notification: Notification, infos: Iterable[ConversationInfo]) -> str:
    """The title of the conversation that asks; says so where one of its sub-agents does."""
    info = next((info for info in infos if info.id == notification.conversation_id), None)
    if info is None:
        return ""
    title = info.title or "New conversation"
    thread_id = notification.request.thread_id
    return f"{title} (a sub-agent)" if thread_id and info.thread_id not in (None, thread_id) else title


def doubt_of(cautions: Iterable[str], *, odd: bool) -> str:
    """Why accepting asks twice; "" where it does not. `odd`: its text hides or reorders some of itself."""
    if odd:
        return "It has characters that hide or reorder text"
    named = ", ".join(cautions)
    return f"It looks like {safe.line(named, 60)}" if named else ""
