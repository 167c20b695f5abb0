"""One life of a console, in a process of its own: `python -m tests.crash.child`, its orders on stdin.

It says on stdout, a JSON line each, what it was told is durable; the parent holds it to that.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import traceback
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from core.agent.events import Channel
from core.agent.requests import Answer, Decide
from core.conversation.feed import Delivery, FeedEvent, HostChanged, HostPhase, LiveDelta, Notification
from core.conversation.info import Conversation
from core.conversation.live import LiveConversation
from core.conversation.refusal import refusal
from core.engine import Engine, open_engine
from core.errors import CodexError, Conflict, NotFound, NotRestartable, NotStalled, QuarterdeckError
from core.rows import ChunkDraft
from core.settings import Settings
from core.store.streams import Streams
from core.thread.state import Status
from core.tools.toolset import Arguments, Tool, ToolContext
from tests.crash.owed import answers
from tests.crash.plan import Cycle, Kill, Message
from tests.support.watcher import Watcher


def report(what: str, **facts: object) -> None:
    print(json.dumps({"what": what, **facts}), flush=True)


class Axe:
    """Kills this process at the n-th passing of a named step."""

    def __init__(self, kill: Kill | None) -> None:
        self._step = kill.step if kill is not None else ""
        self._left = kill.count if kill is not None else 0

    def step(self, name: str) -> None:
        if name != self._step:
            return
        self._left -= 1
        if self._left == 0:
            report("killed", at=name)
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, owner: Any, method: str, name: str) -> None:
        """Put the steps `name`.before and `name`.after around a method of an object."""
        wrapped: Callable[..., Awaitable[Any]] = getattr(owner, method)

        async def call(*args: Any, **named: Any) -> Any:
            self.step(f"{name}.before")
            result = await wrapped(*args, **named)
            self.step(f"{name}.after")
            return result

        setattr(owner, method, call)

    def watch(self, engine: Engine) -> None:
        store, agent = engine._store, engine._agent
        self.around(store.records, "append", "append")
        _report_kept(store.streams)
        self.around(store.streams, "append_chunks", "chunks")
        self.around(store.notifications, "decide", "decide")
        for method in ("start_turn", "steer", "answer", "start_thread", "resume_thread"):
            self.around(agent, method, method)


def _report_kept(streams: Streams) -> None:
    """Say what of the answers that stream is on disk: from then on it is owed."""
    append = streams.append_chunks

    async def call(chunks: Sequence[ChunkDraft]) -> None:
        await append(chunks)
        for chunk in chunks:
            if chunk.channel == Channel.MESSAGE:
                report("kept", item=chunk.item_id, text=chunk.text)

    streams.append_chunks = call


async def report_standing(engine: Engine, conversation: LiveConversation) -> None:
    """Say what a screen shows of answers now: those that stream, and those that are recorded."""
    streaming: dict[str, str] = defaultdict(str)

    def hear(event: FeedEvent) -> None:
        if isinstance(event, LiveDelta) and event.channel is Channel.MESSAGE:
            streaming[event.item_id] += event.text

    async with conversation.runtime.turnstile:
        recorded = answers(await conversation.page(limit=100_000))
        stop = engine.feed.listen(hear)
        await conversation.live()
        stop()
        report("stands", streaming=streaming, recorded=recorded)


async def take_over(engine: Engine, conversation: Conversation, *, halt: bool) -> None:
    """Say what a screen shows once its thread is heard again, and after what ran there was interrupted."""
    assert isinstance(conversation, LiveConversation)
    turn_id: str | None = None
    if conversation.thread_id is not None:
        try:
            await conversation.attached()
            turn_id = conversation.state.turn_id if halt else None
        except CodexError as error:
            report("not attached", error=str(error))
    await report_standing(engine, conversation)
    if turn_id is None:
        return
    watcher = Watcher(engine)
    try:
        await conversation.interrupt()
        await watcher.until(lambda: conversation.state.turn_id != turn_id)
    except CodexError as error:
        report("not interrupted", error=str(error))
    await report_standing(engine, conversation)


class Life:
    """Sends, steers and decides as its cycle says, until nothing is left to do."""

    def __init__(self, engine: Engine, conversation: Conversation, cycle: Cycle) -> None:
        self._engine = engine
        self._conversation = conversation
        self._cycle = cycle
        self._watcher = Watcher(engine)
        self._told = 0
        engine.feed.listen(self._hear)

    def _hear(self, event: object) -> None:
        if isinstance(event, LiveDelta) and event.channel.value == "message":
            self._told += len(event.text)
            report("streamed", item=event.item_id, text=event.text)

    async def run(self) -> None:
        deciding = asyncio.create_task(self._decide())
        try:
            for message in self._cycle.messages:
                await self._send(message)
            await self._settle()
        finally:
            deciding.cancel()
            outcome = (await asyncio.gather(deciding, return_exceptions=True))[0]
            if not isinstance(outcome, asyncio.CancelledError):
                report("broke", error=f"the decider ended: {outcome!r}")

    async def _send(self, message: Message) -> None:
        if message.steer:
            await self._running()
        await self._conversation.send(message.text, message.key, queue=message.queue)
        report("accepted", key=message.key)
        if message.stop:
            await self._stop()
        if not message.steer:
            await self._running()

    async def _stop(self) -> None:
        """As Escape does."""
        written = await self._engine.draft(self._conversation.id)
        waiting = [entry for entry in self._conversation.outbox if entry.delivery is not Delivery.SENT]
        draft = "\n\n".join((*(entry.text for entry in waiting), written))
        keys = [entry.key for entry in waiting]
        await self._conversation.withdraw(*keys, drafts={self._conversation.id: draft})
        try:
            await self._conversation.interrupt()
        except CodexError as error:
            report("not interrupted", error=str(error))

    async def _running(self) -> None:
        """Wait until a turn runs, or nothing will."""
        state = lambda: self._conversation.state  # noqa: E731
        await self._watcher.until(lambda: state().turn_id or state().status is not Status.RUNNING)

    async def _settle(self) -> None:
        """To the end of everything; what stalled runs again where it may."""
        for _ in range(20):
            try:
                await self._watcher.until(lambda: self._conversation.state.status is not Status.RUNNING)
            except TimeoutError as error:
                raise AssertionError(f"it goes on and on: {self._situation()}") from error
            if self._conversation.state.status is Status.IDLE:
                return
            try:
                await self._conversation.restart()
            except NotRestartable:
                report("stalled", problem=self._conversation.state.problem)
                return
            except NotStalled:
                continue
        raise AssertionError("it does not come to rest")

    def _situation(self) -> str:
        """What a person would want to know of a conversation that does not come to rest."""
        live = self._conversation
        assert isinstance(live, LiveConversation)
        state = live.runtime.thread.state
        return (
            f"job {state.job}, waiting {state.waiting}, arrivals {[a.key for a in state.arrivals]}, "
            f"calls {state.open_calls()}, pending {self._engine.pending()}, host {self._engine.host}, "
            f"told {[type(e).__name__ for e in self._watcher.events[-12:]]}"
        )

    async def _decide(self) -> None:
        decided: set[int] = set()
        while True:
            pending = await self._watcher.until(lambda: self._fresh(decided), seconds=600)
            decided.add(pending.id)
            answer = self._answer(pending)
            try:
                await self._engine.decide(pending.id, answer, pending.shown_hash)
                report("decided", id=pending.id)
            except (Conflict, NotFound) as error:
                report("refused", id=pending.id, error=str(error))
            except QuarterdeckError as error:
                report("undelivered", id=pending.id, error=str(error))

    def _answer(self, pending: Notification) -> Answer:
        """What this life decides; where accepting is not offered, and for a form, it declines."""
        offered = {choice.verb: choice for choice in getattr(pending.request, "choices", ())}
        wanted = offered.get(self._cycle.verdict)
        answer = Decide(choice=wanted) if wanted is not None else refusal(pending.request)
        assert answer is not None, f"no way to decide on {pending}"
        return answer

    def _fresh(self, decided: set[int]) -> Notification | None:
        return next((n for n in self._engine.pending() if n.id not in decided), None)


def mark_tool(marks: Path) -> Tool:
    async def run(context: ToolContext, arguments: Arguments) -> str:
        with marks.open("a") as file:
            file.write(f"{arguments['mark']}\n")
        await asyncio.sleep(0.05)
        return "marked"

    return Tool("mark", "Leave a mark.", {"type": "object", "properties": {"mark": {"type": "string"}}}, run)


async def live(orders: dict[str, Any]) -> None:
    settings = Settings.model_validate(orders["settings"]).model_copy(
        update={"data_dir": Path(orders["data_dir"])}
    )
    project = Path(orders["project"])
    cycle = Cycle.load(orders["cycle"])
    engine = await open_engine(settings, [mark_tool(project / "tool-marks.txt")])
    watcher = Watcher(engine)
    Axe(cycle.kill).watch(engine)
    found = await engine.latest(project)
    conversation = await engine.open(found.id) if found else await engine.create(project)
    report("open", id=conversation.id)
    await watcher.until(
        lambda: any(isinstance(e, HostChanged) and e.phase is HostPhase.READY for e in watcher.events)
    )
    process = engine._agent._link.standing.process
    report("ready", host=process.pid if process else 0)
    await take_over(engine, conversation, halt=cycle.halt)
    await Life(engine, conversation, cycle).run()
    report("settled", state=conversation.state.status.value)
    if orders["quit"]:
        # What an earlier life answered just before the axe fell is known to be taken when it is not asked again.
        while await engine._store.notifications.unsettled():
            await watcher.news()
        await engine.close()
        report("closed")
    else:
        sys.stdin.read()


def main() -> None:
    try:
        asyncio.run(live(json.loads(sys.stdin.readline())))
    except Exception:
        report("broke", error=traceback.format_exc()[-3000:])
        raise


if __name__ == "__main__":
    main()
