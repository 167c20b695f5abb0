"""Decided from outside a console, on the real Codex: with a console open, and with none."""

from __future__ import annotations

import pytest

from core import approvals
from core.access.ledger import LedgerFilter, Who
from core.agent.requests import (
    Choice,
    CommandApproval,
    Decide,
    Elicited,
    Grant,
    PermissionsApproval,
    Question,
    QuestionPart,
    RequestKey,
    Right,
)
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.errors import Conflict, InvalidRequest, NotFound, Unsupported
from core.hosting import host_stop
from core.keeping import opened_ledger
from core.rows import NotificationState
from core.settings import Settings
from core.thread.boxes import TOOL_RETURN, USER
from tests.support.watcher import Watcher


async def asking(settings: Settings, scratch: Scratch, message: str) -> tuple[Engine, Watcher, str]:
    """An engine with a conversation that waits for a decision; the conversation's id."""
    engine = await open_engine(settings)
    watcher = Watcher(engine)
    conversation = await engine.create(scratch.project)
    await conversation.send(message, "k1")
    await watcher.asked("command", conversation)
    return engine, watcher, conversation.id


async def test_with_a_console_open_it_is_told_by_whom_and_sends_the_decision(
    settings: Settings, scratch: Scratch
) -> None:
    engine, watcher, conversation_id = await asking(settings, scratch, "/run! echo decided there")
    try:
        shown = engine.pending()[0]
        (waiting,) = await approvals.waiting(settings)
        assert (waiting.conversation_id, waiting.shown_hash) == (conversation_id, shown.shown_hash)
        approvals.check_hash(waiting, waiting.shown_hash[:12])
        answer = approvals.acceptance(waiting.request)
        became = await approvals.decide(settings, waiting.id, answer, waiting.shown_hash)
        assert became.state is NotificationState.DELIVERED
        assert (await watcher.outcome(shown)).decided_by.startswith("you, from the command line")
        conversation = await engine.open(conversation_id)
        assert (await watcher.box(conversation, TOOL_RETURN)).contents == "decided there\n"
        with pytest.raises(Conflict, match="waits no more"):
            await approvals.decide(settings, waiting.id, answer, waiting.shown_hash)
    finally:
        await engine.close()


async def test_with_no_console_open_codex_is_answered_once_and_hears_the_message(
    settings: Settings, scratch: Scratch
) -> None:
    engine, _, conversation_id = await asking(settings, scratch, "/run! touch ran\n/say so be it")
    await engine.close()
    (waiting,) = await approvals.waiting(settings)
    answer = approvals.refused(waiting.request, "leave it alone")
    became = await approvals.decide(settings, waiting.id, answer, waiting.shown_hash)
    assert became.state is NotificationState.DELIVERED
    assert await approvals.waiting(settings) == ()
    async with opened_ledger(settings) as ledger:
        count = await ledger.count(LedgerFilter(who=Who.PERSON))
        assert count.count == 1
        assert (await ledger.entry(count.newest)).decided_by.startswith("you, from the command line")
    again = await open_engine(settings)
    try:
        watcher = Watcher(again)
        conversation = await again.open(conversation_id)
        pages = [box.contents for box in await conversation.page() if box.box_type == USER]
        if "leave it alone" not in pages:
            await watcher.box(conversation, USER, "leave it alone")
        assert not (scratch.project / "ran").exists()
    finally:
        await again.close()


async def test_what_died_with_its_host_is_said_to_have(settings: Settings, scratch: Scratch) -> None:
    engine, _, _ = await asking(settings, scratch, "/run! touch ran")
    await engine.close()
    (waiting,) = await approvals.waiting(settings)
    await host_stop(settings, force=True)
    answer = approvals.acceptance(waiting.request)
    became = await approvals.decide(settings, waiting.id, answer, waiting.shown_hash)
    assert became.state is NotificationState.DIED
    assert not (scratch.project / "ran").exists()
    with pytest.raises(NotFound):
        await approvals.one_waiting(settings, 99)


# What can be answered with a word.

ASKED = {"key": RequestKey(generation="g", id=0), "thread_id": "t", "turn_id": "u", "item_id": "i"}
YES = Choice(verb="accept", label="Accept", raw='"accept"')
NO = Choice(verb="decline", label="Decline", raw='"decline"')
COMMAND = CommandApproval(**ASKED, command="make", cwd="/w", choices=(YES, NO))
RIGHT = Right(label="network", raw="{}")
RIGHTS = PermissionsApproval(**ASKED, cwd="/w", rights=(RIGHT,))
QUESTION = Question(**ASKED, parts=(QuestionPart(id="q", header="", text="Why?"),))


def test_a_word_accepts_once_and_never_for_longer() -> None:
    assert approvals.acceptance(COMMAND, "go on") == Decide(choice=YES, message="go on")
    assert approvals.acceptance(RIGHTS) == Grant(rights=(RIGHT,), scope="turn")


@pytest.mark.parametrize("request_", [QUESTION, COMMAND.model_copy(update={"choices": (NO,)})])
def test_what_has_to_be_filled_in_is_not_accepted_with_a_word(request_: CommandApproval) -> None:
    with pytest.raises(Unsupported):
        approvals.acceptance(request_)


def test_a_word_declines_each_kind() -> None:
    assert approvals.refused(COMMAND) == Decide(choice=NO)
    assert approvals.refused(RIGHTS) == Grant()
    assert not isinstance(approvals.refused(QUESTION), Elicited)


def test_half_a_hash_and_another_one_decide_nothing() -> None:
    waiting = approvals.Waiting(1, "c", "", COMMAND, 0, "abcdef0123456789")
    approvals.check_hash(waiting, "ABCDEF01")
    with pytest.raises(InvalidRequest):
        approvals.check_hash(waiting, "abc")
    with pytest.raises(Conflict):
        approvals.check_hash(waiting, "abcdef02")
