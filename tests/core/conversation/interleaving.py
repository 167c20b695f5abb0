"""A scripted host and a driver that mixes requests, answers, resolutions, lost connections, dying hosts and crashes
of the console, over the real NotificationCenter and the real store.

A crash drops everything in memory at whatever it was just doing and opens the store anew; the host goes on.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from core.access.judge import Judge
from core.access.patterns import CommandPattern
from core.access.policy import (
    AccessContext,
    AccessPolicy,
    Authorization,
    ProfileId,
    Verdict,
    authorize,
)
from core.access.rules import Reach, RuleDraft, Scope
from core.agent.requests import (
    Answer,
    Choice,
    CommandApproval,
    Decide,
    Request,
    RequestKey,
    dump_answer,
    load_request,
)
from core.conversation.feed import Feed, FeedEvent, Notification, Told
from core.conversation.notifications import NotificationCenter
from core.errors import Conflict, ConnectionLost, NotFound, QuarterdeckError
from core.rows import LedgerEntry, NotificationState
from core.store.store import Store
from tests.core.store.helpers import add_conversations, open_store

CONVERSATIONS = ("c", "d", "e")
ACCEPT = Choice(verb="accept", label="Accept", raw='"accept"')
DECLINE = Choice(verb="decline", label="Decline", raw='"decline"')


async def operator() -> Authorization:
    return authorize(AccessContext("/w"), ProfileId("operator"), AccessPolicy.shipped())


@dataclass
class Host:
    """The other side: what it waits for, and what it took. It outlives the consoles."""

    generation: str
    connected: bool = True
    waits: dict[RequestKey, CommandApproval] = field(default_factory=dict)
    took: dict[RequestKey, list[Answer]] = field(default_factory=lambda: defaultdict(list))
    raised: dict[RequestKey, CommandApproval] = field(default_factory=dict)
    store: Store | None = None
    _next: int = 0

    def ask(self, rng: Random) -> CommandApproval:
        """A new request. Ids begin at 0 in every host."""
        key = RequestKey(generation=self.generation, id=self._next)
        self._next += 1
        program = rng.choice(["auto", "make", "rm -rf build"])
        request = CommandApproval(
            key=key,
            thread_id=rng.choice(CONVERSATIONS),
            turn_id=f"turn-{rng.randrange(3)}",
            item_id=f"item-{key.id}",
            command=program,
            cwd="/w",
            choices=(ACCEPT, DECLINE),
        )
        self.waits[key] = self.raised[key] = request
        return request

    def die(self, generation: str) -> None:
        """Another host takes its place; what this one waited for is gone."""
        self.generation = generation
        self.waits.clear()
        self._next = 0

    async def answer(self, key: RequestKey, answer: Answer) -> bool:
        """As `core.agent.port.Agent.answer`. What it is given has to be on disk, as decided, before."""
        if not self.connected:
            raise ConnectionLost("The connection is gone")
        assert self.store is not None
        row = await self.store.notifications.find(key.generation, json.dumps(key.id))
        assert row is not None and row.answer == dump_answer(answer)
        assert row.state not in (NotificationState.PENDING, NotificationState.DECIDED)
        if self.waits.pop(key, None) is None:
            return False
        self.took[key].append(answer)
        return True


class Driver:
    """One database and one host after the other; `play` is one interleaving."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.host = Host("host-0")
        self.said: dict[str, list[str]] = defaultdict(list)
        """Message key -> the texts that were given to be said under it."""
        self.errors: list[str] = []
        """What a person was told went wrong."""
        self.crashes = 0
        self._hosts = 0
        self._doing: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """A console begins: what an earlier one left is taken up, and the host asks again."""
        self.store = await Store.open(self._path)
        self.host.store = self.store
        self.host.connected = True
        feed = Feed()
        feed.listen(self._hear)
        self.center = NotificationCenter(
            self.store.notifications,
            Judge(self.store.rules),
            self.host,  # type: ignore[arg-type]
            feed,
        )
        await self.center.start(self._say)
        self._connect()

    async def prepare(self) -> None:
        async with open_store(self._path) as store:
            await add_conversations(store, *CONVERSATIONS)
            allow = RuleDraft(
                verdict=Verdict.ALLOW,
                pattern=CommandPattern.parse("auto"),
                scope=Scope(Reach.EVERYWHERE),
            )
            await store.rules.add(allow)
        await self.open()

    async def _say(self, conversation_id: str, key: str, text: str) -> None:
        """As a conversation does: the same key again changes nothing."""
        assert conversation_id in CONVERSATIONS
        if text not in self.said[key]:
            self.said[key].append(text)

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, Told):
            self.errors.append(event.text)

    def _connect(self) -> None:
        self.host.connected = True
        self.center.hear_host(self.host.generation)
        for request in self.host.waits.values():
            self._raise(request)
        kept = list(self.host.waits)
        for conversation in CONVERSATIONS:
            self.center.hear_replayed(conversation, self.host.generation, kept)

    def _raise(self, request: Request) -> None:
        self.center.hear_raised(request.thread_id, request, operator)

    async def play(self, seed: int) -> None:
        """A dozen steps, each begun while the ones before may still be under way; then all comes to rest."""
        rng = Random(seed)
        for _ in range(rng.randint(6, 16)):
            await self._step(rng)
            for _ in range(rng.randrange(6)):
                await asyncio.sleep(0)
        await self.rest()

    async def _step(self, rng: Random) -> None:
        step = rng.choices(
            ["ask", "decide", "twice", "elsewhere", "end", "again", "lose", "die", "crash"],
            [8, 6, 2, 3, 2, 2, 2, 1, 2],
        )[0]
        match step:
            case "ask":
                request = self.host.ask(rng)
                if self.host.connected:
                    self._raise(request)
            case "decide" | "twice":
                self._decide(rng, times=2 if step == "twice" else 1)
            case "elsewhere" if self.host.waits:
                self._settle(rng.choice(list(self.host.waits)))
            case "end":
                self._end_turn(f"turn-{rng.randrange(3)}")
            case "again" if self.host.waits and self.host.connected:
                self._raise(rng.choice(list(self.host.waits.values())))
            case "lose":
                self._lose()
                if rng.random() < 0.7:
                    self._connect()
            case "die":
                self._lose()
                self._hosts += 1
                self.host.die(f"host-{self._hosts}")
                self._connect()
            case "crash":
                await self.crash()
            case _:
                pass

    def _decide(self, rng: Random, times: int) -> None:
        pending = self.center.pending()
        if pending:
            notification = rng.choice(pending)
            for _ in range(times):
                choice = rng.choice([ACCEPT, DECLINE])
                message = f"why {rng.randrange(1000)}" if choice is DECLINE and rng.random() < 0.5 else ""
                self._do(notification, Decide(choice=choice, message=message))

    def _do(self, notification: Notification, answer: Decide) -> None:
        async def decide() -> None:
            # Somebody was faster, it is gone, or the connection broke: each is told to the person.
            with suppress(Conflict, NotFound, ConnectionLost, QuarterdeckError):
                await self.center.decide(notification.id, answer, "you", notification.shown_hash)
            self._tell_taken()

        task = asyncio.create_task(decide())
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)

    def _tell_taken(self) -> None:
        """What the host took it says is resolved."""
        for key in tuple(self.host.took):
            if self.host.connected and key.generation == self.host.generation:
                self.center.hear_settled(key)

    def _settle(self, key: RequestKey) -> None:
        del self.host.waits[key]
        if self.host.connected:
            self.center.hear_settled(key)

    def _end_turn(self, turn_id: str) -> None:
        if self.host.connected:
            self.center.hear_turn_ended(turn_id)
        for key in [key for key, asked in self.host.waits.items() if asked.turn_id == turn_id]:
            self._settle(key)

    def _lose(self) -> None:
        self.host.connected = False
        self.center.hear_lost()

    async def crash(self) -> None:
        """Nothing is said, answered or waited for any more; the store is opened anew."""
        self.crashes += 1
        for task in tuple(self._doing):
            task.cancel()
        await asyncio.gather(*self._doing, return_exceptions=True)
        await self.center.close()
        await self.store.close()
        await self.open()

    async def rest(self) -> None:
        """Everything that is under way comes to its end, on a connection that stands."""
        await asyncio.gather(*self._doing)
        if not self.host.connected:
            self._connect()
        await self.center.drained()
        self._tell_taken()
        await self.center.drained()

    async def close(self) -> None:
        await self.center.close()
        await self.store.close()

    # What has to hold.

    async def check(self) -> None:
        """Of every request one decision at most got anywhere, and the ledger tells of each, with its end."""
        entries = await self._ledger()
        for key in self.host.raised:
            await self._check_one(key, entries[key])

    async def _ledger(self) -> dict[RequestKey, list[LedgerEntry]]:
        """Oldest first. A request that was taken for over, and is asked again, has one more."""
        found: dict[RequestKey, list[LedgerEntry]] = defaultdict(list)
        cursor: int | None = None
        while True:
            page = await self.store.ledger.page(before=cursor, limit=500)
            for entry in page.entries:
                if entry.kind == "command":
                    found[load_request(entry.content).key].insert(0, entry)
            cursor = page.cursor
            if cursor is None:
                return found

    async def _check_one(self, key: RequestKey, entries: Sequence[LedgerEntry]) -> None:
        took = [dump_answer(answer) for answer in self.host.took.get(key, [])]
        decided = [entry.answer for entry in entries if entry.decided_by != "nobody"]
        ends = [[outcome.outcome for outcome in entry.outcomes] for entry in entries]
        assert len(took) <= 1
        assert took == [] or took == decided[-1:], "the host got what the ledger says"
        assert all(end[-1] not in ("sent", "delivered") for end in ends[:-1]), "what stands is the last"
        row = await self.store.notifications.find(key.generation, json.dumps(key.id))
        if row is None:
            # It came and went while no console could hear it.
            assert key not in self.host.waits and not entries
            return
        if row.state is NotificationState.PENDING:
            assert key in self.host.waits
            return
        assert ends and ends[-1], f"{row.state} without its end in the ledger"
        assert key not in self.host.waits, "over here, and the host still waits"
        if took:
            # What says that the host took it may be lost with the console, and the host with that.
            assert ends[-1][-1] in ("delivered", "died before Codex confirmed it")
        await self._check_said(key, took)

    async def _check_said(self, key: RequestKey, took: list[str]) -> None:
        message = json.loads(took[0])["message"] if took else ""
        texts = [text for texts in self.said.values() for text in texts]
        if message:
            assert message in texts
