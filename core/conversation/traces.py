"""What the conversation keeps of decisions on what Codex has no item for: questions, and rights. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from core.agent.requests import Grant, PermissionsApproval, Question, Reply, Right
from core.conversation.feed import Notification
from core.ledger_lines import SECRET

NO_ANSWER = "no answer"


def trace_of(notification: Notification) -> str:
    """Question, answer and who decided it, in lines; "" for what leaves a trace of Codex's own. Secrets are covered."""
    by = notification.decided_by or "nobody"
    match notification.request, notification.answer:
        case Question() as question, Reply() as reply:
            lines = [f"Answered by {by}:"]
            for part in question.parts:
                given = reply.answers.get(part.id, ())
                shown = (SECRET,) if part.secret and given else given
                lines += [part.text or part.header, f"→ {', '.join(shown) or NO_ANSWER}"]
            return "\n".join(lines)
        case PermissionsApproval() as asked, Grant() as grant:
            kept = [right for right in asked.rights if right not in grant.rights]
            span = "for this session" if grant.scope == "session" else "for this turn"
            given = f"Allowed by {by}, {span}: {_labels(grant.rights)}" if grant.rights else ""
            refused = f"Declined by {by}: {_labels(kept)}" if kept else ""
            return "\n".join(line for line in (given, refused) if line)
        case _:
            return ""


def _labels(rights: Iterable[Right]) -> str:
    return ", ".join(right.label for right in rights)
