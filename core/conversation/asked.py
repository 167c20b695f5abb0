"""Between a request, its row and what is told of it. Pure."""

from __future__ import annotations

import hashlib
import json

from core.agent.requests import (
    CommandApproval,
    Decide,
    FileApproval,
    Request,
    RequestKey,
    dump_request,
    load_answer,
    load_request,
)
from core.conversation.feed import Notification
from core.conversation.grounds import Grounds
from core.rows import NotificationDraft, NotificationRow


def hash_of(request: Request) -> str:
    """The hash of exactly what is shown of a request."""
    return hashlib.sha256(dump_request(request).encode()).hexdigest()


def message_key(key: RequestKey) -> str:
    """Of what is said with a decision: another one for every request there ever is."""
    return hashlib.sha256(f"{key.generation} {key.id!r}".encode()).hexdigest()[:32]


def draft_of(conversation_id: str | None, request: Request, grounds: Grounds) -> NotificationDraft:
    """The request as it is raised."""
    return NotificationDraft(
        conversation_id=conversation_id,
        thread_id=request.thread_id,
        generation=request.key.generation,
        request_id=json.dumps(request.key.id),
        kind=request.kind,
        request=dump_request(request),
        grounds=grounds.dump(),
    )


def notification_of(row: NotificationRow) -> Notification:
    """What is told of a row. Raises ValueError for JSON that is none of ours."""
    request = load_request(row.request)
    grounds = Grounds.load(row.grounds)
    return Notification(
        id=row.id,
        conversation_id=row.conversation_id,
        request=request,
        raised_at_ms=row.raised_at_ms,
        shown_hash=hash_of(request),
        state=row.state,
        decided_by=row.decided_by or "",
        answer=load_answer(row.answer) if row.answer is not None else None,
        outcome=row.outcome,
        why_asked=grounds.why,
        profile=grounds.profile,
        sandbox=grounds.sandbox,
        cautions=grounds.cautions,
        unsure=grounds.unsure,
    )


def declined_item(notification: Notification) -> str | None:
    """The item that this decision keeps from being done; None for any other."""
    request, answer = notification.request, notification.answer
    if not isinstance(answer, Decide) or answer.choice.verb not in ("decline", "cancel"):
        return None
    begins = isinstance(request, FileApproval) or (isinstance(request, CommandApproval) and not request.stdin)
    return request.item_id if begins else None


def stopped_turn(notification: Notification) -> str | None:
    """The turn that this decision ends; None for any other."""
    answer = notification.answer
    stops = isinstance(answer, Decide) and answer.choice.verb == "cancel"
    return notification.request.turn_id if stops else None
