"""A conversation's pump, sender and attachment, wired as a live conversation wires them, on a Codex that is given."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from core.access.policy import AccessPolicy
from core.agent.events import ItemCompleted, RunSettings, TurnEnded, TurnStarted, TurnStatus
from core.agent.items import UserMessage
from core.agent.port import ItemEntry, Orphan, Page, ThreadInfo, ThreadSpec, TurnInfo, TurnInput, TurnOptions
from core.conversation import boxing
from core.conversation.attachment import Attachment, Binding
from core.conversation.authority import Authority
from core.conversation.choosing import Selector
from core.conversation.delivery import Delivery
from core.conversation.feed import Feed, FeedEvent, Told
from core.conversation.runtime import ConversationRuntime
from core.conversation.streams import StreamRecorder
from core.conversation.switching import Switching
from core.conversation.workspace import Choices, Defaults, ExecutionPolicy, Workspace
from core.errors import CodexError, ConnectionLost, NoRollout
from core.thread.durable import DurableThread
from core.thread.state import ConversationState
from core.tools.actions import ThreadActions
from tests.core.conversation.memory import Memory

THREAD = "thread"
NO_ROLLOUT = NoRollout("thread/resume", -32600, "no rollout found")


class Codex:
    """Has one thread. `go_on` cleared: it takes a turn and does not say so yet. `failures`: what a resume meets first."""

    def __init__(self) -> None:
        self.materialised = True
        self.begun: list[TurnInput] = []
        self.running: list[str] = []
        """The turns that Codex has and has not ended."""
        self.resumed: list[float] = []
        self.failures: list[CodexError] = []
        self.loaded_threads: tuple[str, ...] = ()
        self.broken = False
        """The connection breaks on the next turn, which it takes."""
        self.threads = 0
        """How often a thread was asked for."""
        self.gone = False
        """Nobody answers, which is not known yet."""
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.asked = asyncio.Event()
        """Set when a turn is asked for."""
        self.steered: list[TurnInput] = []
        self.told = asyncio.Event()
        """Set when a turn is steered."""

    @property
    def operations(self) -> Codex:
        return self

    async def loaded(self) -> tuple[str, ...]:
        return self.loaded_threads

    def turn(self, number: int) -> str:
        return f"turn-{number}"

    async def start_thread(self, spec: ThreadSpec) -> ThreadInfo:
        self.threads += 1
        if self.gone:
            raise ConnectionLost("The host is gone")
        return _info()

    async def resume_thread(self, thread_id: str) -> ThreadInfo:
        self.resumed.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0)
        if self.failures:
            raise self.failures.pop(0)
        if not self.materialised:
            raise NO_ROLLOUT
        return _info(active=bool(self.running))

    async def writer_of(self, thread_id: str) -> str:
        return "codex (process 1)"

    async def turns(self, thread_id: str, cursor: str | None = None) -> Page[TurnInfo]:
        return Page(tuple(TurnInfo(turn_id, None) for turn_id in reversed(self.running)), None)

    async def items(self, thread_id: str, turn_id: str, cursor: str | None = None) -> Page[ItemEntry]:
        return Page((), None)

    async def orphans(self, thread_id: str) -> tuple[Orphan, ...]:
        return ()

    async def steer(self, thread_id: str, turn_id: str, said: TurnInput) -> None:
        self.steered.append(said)
        self.told.set()

    async def start_turn(self, thread_id: str, said: TurnInput, options: TurnOptions) -> str:
        self.begun.append(said)
        self.asked.set()
        turn_id = self.turn(len(self.begun))
        await self.go_on.wait()
        self.running.append(turn_id)
        self.materialised = True
        if self.broken:
            self.broken = False
            raise ConnectionLost("The connection broke")
        return turn_id


def _info(*, active: bool = False) -> ThreadInfo:
    return ThreadInfo(THREAD, "/pier", "", None, 0, 0, active, "big", "scripted")


class Catalog:
    """Keeps nothing: the attachment knows its binding itself."""

    async def bind(self, conversation_id: str, thread_id: str) -> None: ...

    async def unbind(self, conversation_id: str) -> None: ...


class Center:
    """Has nothing pending."""

    def hear_replayed(self, *_: object) -> None: ...


class Wired:
    def __init__(self, codex: Codex, memory: Memory) -> None:
        workspace = Workspace("w", Path("/pier"), 1, Defaults(), ExecutionPolicy())
        settings = RunSettings("big", None, "workspace-write", None)
        chosen = Selector(
            workspace, AccessPolicy.shipped(), Choices(profile="autopilot"), settings, begun=True
        )
        self.codex = codex
        self.told: list[FeedEvent] = []
        self.attached = asyncio.Event()
        feed = Feed()
        feed.listen(self.told.append)
        self.thread = DurableThread(ConversationState(), 0, memory, ThreadActions())
        self.runtime = ConversationRuntime("c", self.thread, StreamRecorder("c", memory), feed)
        switching = Switching("c", chosen, codex, Catalog(), feed)  # type: ignore[arg-type]
        self.attachment = Attachment(
            Binding(THREAD, codex.materialised),
            ThreadSpec(cwd="/pier"),
            switching,
            self.runtime,
            codex,  # type: ignore[arg-type]
            Center(),  # type: ignore[arg-type]
            Catalog(),  # type: ignore[arg-type]
            feed,
            attached=self._attached,
            elsewhere=lambda _: None,
        )
        self.delivery = Delivery(
            self.runtime,
            codex,  # type: ignore[arg-type]
            feed,
            ready=self.attachment.ready,
            authority=Authority("c", self.thread, switching),
            unsure=self.attachment.attach_soon,
        )
        self.runtime.changed = self.delivery.wake

    def _attached(self) -> None:
        self.attached.set()
        self.delivery.wake()

    async def say(self, key: str, text: str = "hello") -> None:
        """A person sends a message."""
        self.thread.state.accept(boxing.message_draft(key, text))
        await self.runtime.publish()
        self.delivery.wake()

    async def run(self, key: str, *, seen: bool = True) -> None:
        """Codex runs the turn that it was asked for last, to its end."""
        turn_id = self.codex.turn(len(self.codex.begun))
        self.runtime.hear(TurnStarted(THREAD, turn_id))
        if seen:
            item = UserMessage(id=f"u-{turn_id}", text="hello", client_id=key)
            self.runtime.hear(ItemCompleted(THREAD, turn_id, item))
        self.runtime.hear(TurnEnded(THREAD, turn_id, TurnStatus.COMPLETED))
        if turn_id in self.codex.running:
            self.codex.running.remove(turn_id)
        await self.runtime.drained()

    def errors(self) -> list[str]:
        return [event.text for event in self.told if isinstance(event, Told) and event.level == "error"]

    async def close(self) -> None:
        await self.delivery.close()
        await self.attachment.close()
        await self.runtime.close()


@asynccontextmanager
async def wired(codex: Codex, memory: Memory | None = None) -> AsyncIterator[Wired]:
    """One that sends and hears; attach it with `attachment.host_ready`."""
    made = Wired(codex, memory or Memory())
    made.runtime.start()
    made.delivery.start()
    try:
        yield made
    finally:
        await made.close()


async def turns_of_the_loop(count: int = 50) -> None:
    """Let everything that is ready run, so many times."""
    for _ in range(count):
        await asyncio.sleep(0)
