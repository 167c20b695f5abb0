"""Profiles and rules decide before a person is asked, on the real Codex."""

from __future__ import annotations

from core.access.ledger import LedgerFilter
from core.access.patterns import CommandPattern
from core.access.policy import Verdict
from core.access.rules import Place, Reach, RuleDraft, Scope
from core.conversation.feed import NotificationChanged
from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.settings import DefaultsSettings, Settings
from core.thread.boxes import TOOL_RETURN
from tests.support.watcher import Watcher


async def test_an_observer_is_denied_and_nobody_is_asked(settings: Settings, scratch: Scratch) -> None:
    observer = settings.model_copy(update={"defaults": DefaultsSettings(profile="observer")})
    engine = await open_engine(observer)
    try:
        watcher = Watcher(engine)
        conversation = await engine.create(scratch.project)
        await conversation.send("/run! touch ran\n/say as it should be", "k1")
        await watcher.settled(conversation)
        assert not (scratch.project / "ran").exists()
        told = [event.notification for event in watcher.events if isinstance(event, NotificationChanged)]
        assert {notification.decided_by for notification in told} == {"profile observer"}
    finally:
        await engine.close()


async def test_why_a_person_is_asked_is_said(engine: Engine, watcher: Watcher, scratch: Scratch) -> None:
    conversation = await engine.create(scratch.project)
    await conversation.send("/run! echo hi > out", "k1")
    asked = await watcher.asked("command", conversation)
    assert asked.why_asked
    assert asked.unsure == "it redirects to or from a file", "so no rule can ever allow it"
    await watcher.choose(asked, "decline")
    await watcher.settled(conversation)


async def test_a_rule_accepts_what_it_matches_and_its_hit_is_counted(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    await engine._store.rules.add(
        RuleDraft(
            verdict=Verdict.ALLOW,
            pattern=CommandPattern.parse("echo by rule"),
            scope=Scope(Reach.EVERYWHERE),
        )
    )
    conversation = await engine.create(scratch.project)
    await conversation.send("/run! echo by rule\n/run! echo by rule; touch ran", "k1")
    asked = await watcher.asked("command", conversation)
    assert "touch ran" in getattr(asked.request, "command", "")
    assert (await watcher.box(conversation, TOOL_RETURN)).contents == "by rule\n"
    await watcher.choose(asked, "decline")
    await watcher.settled(conversation)
    assert [rule.hits for rule in await engine._store.rules.in_order()] == [1]


async def test_a_rule_made_of_a_request_decides_what_it_was_foreseen_to_and_both_deeds_are_in_the_ledger(
    engine: Engine, watcher: Watcher, scratch: Scratch
) -> None:
    conversation = await engine.create(scratch.project)
    place = Place(conversation.id, str(scratch.project))
    for number, command in enumerate(("echo 1", "touch two"), 1):
        await conversation.send(f"/run! {command}", f"k{number}")
        asked = await watcher.asked("command", conversation)
        await watcher.choose(asked, "decline")
        await watcher.outcome(asked)
        await watcher.settled(conversation)
    await conversation.send("/run! echo 3", "k3")
    asked = await watcher.asked("command", conversation)
    wider = engine.rules.propose(asked.request, place, Reach.WORKSPACE)[1]
    foreseen = await engine.rules.foresee(wider.rules)
    assert [getattr(one.request, "command", "") for one in foreseen.matched] == ["/bin/bash -lc 'echo 1'"]
    await engine.rules.add(wider.rules, conversation.id)
    await watcher.choose(asked, "accept")
    await watcher.outcome(asked)
    await watcher.settled(conversation)
    await conversation.send("/run! echo 1\n/run! touch two", "k4")
    assert "touch two" in getattr((await watcher.asked("command", conversation)).request, "command", "")
    count = await engine.ledger.count()
    told = await engine.ledger.summaries(LedgerFilter(), count.newest, 0, 3)
    assert [(one.kind, one.decided_by, one.headline) for one in told] == [
        ("command", "rule 1: allow echo …", "/bin/bash -lc 'echo 1'"),
        ("command", "you", "/bin/bash -lc 'echo 3'"),
        ("rule", "you", "made: allow echo …"),
    ]
    await conversation.interrupt()
