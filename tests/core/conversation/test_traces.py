"""What the conversation keeps of decisions for which Codex has no item."""

from __future__ import annotations

import pytest

from core.agent.requests import (
    Answer,
    Choice,
    Decide,
    Grant,
    PermissionsApproval,
    Question,
    QuestionPart,
    Reply,
    Request,
    RequestKey,
    Right,
)
from core.conversation.feed import Notification
from core.conversation.traces import trace_of

KEY = RequestKey(generation="g", id=0)
NETWORK, WRITE = Right(label="network", raw="{}"), Right(label="write /pier", raw="{}")


def question(*, secret: bool = False) -> Question:
    part = QuestionPart(id="q", header="Harbour", text="Which berth?", secret=secret)
    return Question(key=KEY, thread_id="t", turn_id="1", item_id="i", parts=(part,))


def permissions() -> PermissionsApproval:
    return PermissionsApproval(
        key=KEY, thread_id="t", turn_id="1", item_id="i", cwd="/pier", rights=(NETWORK, WRITE)
    )


@pytest.mark.parametrize(
    ("request_", "answer", "trace"),
    [
        (question(), Reply(answers={"q": ("12",)}), "Answered by you:\nWhich berth?\n→ 12"),
        (question(), Reply(answers={}), "Answered by you:\nWhich berth?\n→ no answer"),
        (
            question(secret=True),
            Reply(answers={"q": ("hunter2",)}),
            "Answered by you:\nWhich berth?\n→ (secret)",
        ),
        (permissions(), Grant(), "Declined by you: network, write /pier"),
        (
            permissions(),
            Grant(rights=(NETWORK, WRITE), scope="session"),
            "Allowed by you, for this session: network, write /pier",
        ),
        (permissions(), Decide(choice=Choice(verb="decline", label="", raw="")), ""),
    ],
)
def test_a_trace_says_what_was_asked_what_was_answered_and_by_whom(
    request_: Request, answer: Answer, trace: str
) -> None:
    decided = Notification(1, "c", request_, 0, "hash", decided_by="you", answer=answer)
    assert trace_of(decided) == trace
