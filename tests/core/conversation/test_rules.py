"""Profiles and rules decide before a person is asked, on the real Codex."""

from __future__ import annotations

from core.access.patterns import CommandPattern
from core.access.policy import Verdict
from core.access.rules import Reach, RuleDraft, Scope
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
    await conversation.send("/run! echo hi", "k1")
    asked = await watcher.asked("command", conversation)
    assert asked.why_asked
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
