"""Who still waits, who decided and what is asked again: two consoles, their hosts and one store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core import generations
from core.access.judge import Judge
from core.access.patterns import CommandPattern
from core.access.policy import AccessContext, AccessPolicy, Authorization, ProfileId, Verdict, authorize
from core.access.rules import Reach, RuleDraft, Scope
from core.agent.requests import Answer, Choice, CommandApproval, Decide, RequestKey
from core.conversation.feed import Feed, NotificationState
from core.conversation.notifications import NotificationCenter
from core.process import identify
from core.store.store import Store
from tests.core.store.helpers import add_conversations, open_store

ACCEPT = Choice(verb="accept", label="Accept", raw='"accept"')
DECLINE = Choice(verb="decline", label="Decline", raw='"decline"')


async def operator() -> Authorization:
    return authorize(AccessContext("/harbour"), ProfileId("operator"), AccessPolicy.shipped())


YES = Decide(choice=ACCEPT)


class Host:
    """Takes an answer to what it waits for, once `free`."""

    def __init__(self, waits: Iterable[RequestKey] = ()) -> None:
        self.waits = set(waits)
        self.taken: list[Answer] = []
        self.free = asyncio.Event()
        self.free.set()

    async def answer(self, key: RequestKey, answer: Answer) -> bool:
        await self.free.wait()
        if key not in self.waits:
            return False
        self.waits.discard(key)
        self.taken.append(answer)
        return True


def request(generation: str) -> CommandApproval:
    return CommandApproval(
        key=RequestKey(generation=generation, id=0),
        thread_id="thread",
        turn_id="turn",
        item_id="item",
        command="make",
        cwd="/harbour",
        choices=(ACCEPT, DECLINE),
    )


def center(store: Store, host: Host) -> NotificationCenter:
    return NotificationCenter(store.notifications, Judge(store.rules), host, Feed())  # type: ignore[arg-type]


@asynccontextmanager
async def asking(
    path: Path, host: Host, asked: CommandApproval
) -> AsyncGenerator[tuple[Store, NotificationCenter]]:
    """A console that heard what the host asks. It is closed at the end."""
    async with open_store(path) as store:
        await add_conversations(store, "c")
        here = center(store, host)
        await here.start()
        here.hear_raised("c", asked, operator)
        await here.drained()
        yield store, here
        await here.close()


@pytest.fixture
async def sleeper() -> object:
    """A process that lives as a host would."""
    process = await asyncio.create_subprocess_exec("sleep", "600")
    yield process
    if process.returncode is None:
        process.kill()
    await process.wait()


async def test_a_host_that_lives_keeps_what_it_waits_for_when_another_comes(
    tmp_path: Path, sleeper: asyncio.subprocess.Process
) -> None:
    process = identify(sleeper.pid)
    assert process is not None
    asked = request(generations.of_host(process))
    path = tmp_path / "data" / "q.sqlite3"
    host = Host([asked.key])
    async with asking(path, host, asked) as (_, here), open_store(path) as other:
        there = center(other, Host())
        await there.start()
        there.hear_host(generations.of_connection())
        await there.drained()
        (waiting,) = here.pending()
        await here.decide(waiting.id, YES, "you", waiting.shown_hash)
        assert host.taken == [YES]
        await there.close()


async def test_what_a_host_waited_for_dies_with_it(
    tmp_path: Path, sleeper: asyncio.subprocess.Process
) -> None:
    process = identify(sleeper.pid)
    assert process is not None
    asked = request(generations.of_host(process))
    async with asking(tmp_path / "data" / "q.sqlite3", Host(), asked) as (store, here):
        (waiting,) = here.pending()
        sleeper.kill()
        await sleeper.wait()
        here.hear_host(generations.of_connection())
        await here.drained()
        assert not here.pending()
        assert (await store.notifications.get(waiting.id)).state is NotificationState.DIED


async def test_a_decision_whose_caller_is_gone_is_sent_all_the_same(tmp_path: Path) -> None:
    asked = request("1-1")
    host = Host([asked.key])
    async with asking(tmp_path / "data" / "q.sqlite3", host, asked) as (store, here):
        (waiting,) = here.pending()
        for steps in range(12):
            deciding = asyncio.create_task(here.decide(waiting.id, YES, "you", waiting.shown_hash))
            for _ in range(steps):
                await asyncio.sleep(0)
            deciding.cancel()
            await asyncio.gather(deciding, return_exceptions=True)
        await here.close()
        assert host.taken == [YES]
        assert (await store.notifications.get(waiting.id)).state is NotificationState.SENT


async def test_what_was_taken_for_over_and_is_asked_again_waits_again(tmp_path: Path) -> None:
    asked = request("1-1")
    host = Host([asked.key])
    async with asking(tmp_path / "data" / "q.sqlite3", host, asked) as (store, here):
        (before,) = here.pending()
        here.hear_replayed("thread", "1-1", ())
        await here.drained()
        assert not here.pending()
        for _ in range(2):
            here.hear_raised("c", asked, operator)
        await here.drained()
        (again,) = here.pending()
        assert again.id != before.id
        await here.decide(again.id, YES, "you", again.shown_hash)
        assert host.taken == [YES]
        assert (await store.notifications.get(before.id)).state is NotificationState.WITHDRAWN


async def test_nobody_is_asked_for_a_moment_what_a_rule_decides(tmp_path: Path) -> None:
    asked = request("1-1")
    async with open_store(tmp_path / "data" / "q.sqlite3") as store:
        await add_conversations(store, "c")
        allow = RuleDraft(
            verdict=Verdict.ALLOW, pattern=CommandPattern.parse("make"), scope=Scope(Reach.EVERYWHERE)
        )
        await store.rules.add(allow)
        host = Host([asked.key])
        here = center(store, host)
        await here.start()
        here.hear_raised("c", asked, operator)
        recording = asyncio.create_task(here.drained())
        while not recording.done():
            assert not here.pending()
            await asyncio.sleep(0)
        assert len(host.taken) == 1
        await here.close()
