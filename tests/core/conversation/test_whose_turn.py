"""In which run something is authorized, without a Codex: what is sent and what is authorized are one, and hold for that run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

import pytest

from core.access.policy import AccessPolicy
from core.agent import events as said
from core.agent.events import RunSettings
from core.agent.items import UserMessage
from core.agent.port import Sandbox, TurnInput, TurnOptions
from core.agent.requests import CommandApproval, RequestKey
from core.conversation import boxing
from core.conversation.authority import Authority, Found
from core.conversation.choosing import Selector
from core.conversation.delivery import Delivery
from core.conversation.feed import Feed
from core.conversation.runtime import ConversationRuntime
from core.conversation.streams import StreamRecorder
from core.conversation.switching import Switching
from core.conversation.workspace import Choices, Defaults, ExecutionPolicy, Workspace
from core.thread.durable import DurableThread
from core.thread.records import Record
from core.thread.state import ConversationState
from core.tools.actions import ThreadActions
from tests.core.conversation.test_runtime import Memory


class Log(Memory):
    """Does something once while it writes."""

    def __init__(self) -> None:
        self.meanwhile: Callable[[], Awaitable[None]] | None = None

    async def persist(self, after: int, records: Sequence[Record], drafts: Mapping[str, str]) -> None:
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            await meanwhile()


class Choosing:
    """A catalog that keeps nothing."""

    async def choose(self, conversation_id: str, choices: str) -> None:
        """It is kept by the selector itself."""


class Codex:
    """Begins every turn at once."""

    def __init__(self) -> None:
        self.begun: list[TurnOptions] = []

    async def start_turn(self, thread_id: str, said: TurnInput, options: TurnOptions) -> str:
        self.begun.append(options)
        return f"turn-{len(self.begun)}"


class Conversation:
    """A sender with what it needs, on a Codex that uses the sandbox that is given."""

    def __init__(self, profile: str, used: str) -> None:
        workspace = Workspace("w", Path("/pier"), 1, Defaults(), ExecutionPolicy())
        settings = RunSettings("big", None, used, None)
        chosen = Selector(workspace, AccessPolicy.shipped(), Choices(profile=profile), settings, begun=True)
        feed = Feed()
        self.log = Log()
        self.codex = Codex()
        self.thread = DurableThread(ConversationState(), 0, self.log, ThreadActions())
        self.runtime = ConversationRuntime("c", self.thread, StreamRecorder("c", self.log), feed)
        self.switching = Switching("c", chosen, self.codex, Choosing(), feed)  # type: ignore[arg-type]
        self.authority = Authority("c", self.thread, self.switching)
        self.runtime.changed = self.authority.look
        self.delivery = Delivery(
            self.runtime,
            self.codex,  # type: ignore[arg-type]
            feed,
            ready=self._ready,
            authority=self.authority,
            unsure=lambda: None,
        )

    async def _ready(self) -> str:
        return "thread"

    async def ask(
        self, turn_id: str, *before: said.AgentEvent, then: Sequence[said.AgentEvent] = ()
    ) -> Found:
        """What may decide on a request that is heard among these events, before any of them is handled."""
        for event in before:
            self.runtime.hear(event)
        authorized = self.authority.among(self.runtime.once_reached, asks(turn_id), "thread")
        for event in then:
            self.runtime.hear(event)
        self.runtime.start()
        await self.runtime.drained()
        found = await authorized()
        await self.runtime.close()
        return found

    async def begin(self, key: str) -> None:
        self.thread.state.accept(boxing.message_draft(key, "hello"))
        await self.delivery._deliver()


def asks(turn_id: str | None, thread_id: str = "thread") -> CommandApproval:
    key = RequestKey(generation="g", id=1)
    return CommandApproval(
        key=key, thread_id=thread_id, turn_id=turn_id, item_id="i", command="ls", cwd="/pier", choices=()
    )


async def test_a_switch_while_a_turn_is_on_its_way_holds_from_the_next_one_on() -> None:
    talk = Conversation("autopilot", "workspace-write")

    async def switch() -> None:
        await talk.switching.select(Choices(profile="operator", sandbox=Sandbox.FULL_ACCESS))

    talk.log.meanwhile = switch
    await talk.begin("first")
    bound = talk.thread.actions.authorization
    assert bound is not None
    assert (bound.profile.id, bound.context.sandbox) == ("autopilot", Sandbox.WORKSPACE_WRITE)
    assert talk.codex.begun == [TurnOptions()], "Codex uses workspace-write already"

    talk.thread.state.see("first", "item")
    await talk.runtime.end_unseen()
    await talk.begin("second")
    bound = talk.thread.actions.authorization
    assert bound is not None
    assert (bound.profile.id, bound.context.sandbox) == ("operator", Sandbox.FULL_ACCESS)
    assert talk.codex.begun[1].sandbox is Sandbox.FULL_ACCESS


async def test_what_the_next_turn_asks_is_not_decided_under_the_last_ones_authorization() -> None:
    """Requests are heard at once, the end of a turn is handled in its order."""
    talk = Conversation("autopilot", "workspace-write")
    await talk.begin("first")
    assert talk.authority.over(asks("turn-1"), "thread") is talk.thread.actions.authorization is not None
    assert talk.authority.over(asks("theirs"), "thread") is None
    assert talk.authority.over(asks("any", "of-a-sub-agent"), "thread") is not None
    assert talk.authority.over(asks(None), "thread") is not None


async def test_nothing_is_authorized_once_a_run_is_over_although_more_waits() -> None:
    talk = Conversation("operator", "read-only")
    await talk.begin("first")
    talk.thread.state.see("first", "item")
    talk.thread.state.accept(boxing.message_draft("second", "and then", steer=False))
    await talk.runtime.end_unseen()
    assert talk.thread.actions.authorization is None


async def test_accepting_a_message_authorizes_nothing() -> None:
    talk = Conversation("operator", "read-only")
    await talk.thread.accept_user(*talk.switching.access(running=False), boxing.message_draft("k", "hello"))
    assert talk.thread.actions.authorization is None


@pytest.mark.parametrize(("used", "goes"), [("read-only", True), ("danger-full-access", False)])
async def test_a_message_joins_no_turn_that_may_do_more_than_the_profile(used: str, goes: bool) -> None:
    talk = Conversation("observer", used)
    talk.thread.state.bind_turn(talk.thread.state.begin_elsewhere(), "theirs")
    assert talk.delivery._may_join("theirs") is goes
    assert talk.thread.actions.authorization is None


async def test_another_programs_turn_is_ours_to_decide_in_once_a_message_of_ours_is_seen_in_it() -> None:
    talk = Conversation("operator", "read-only")
    state = talk.thread.state
    state.bind_turn(state.begin_elsewhere(), "theirs")
    state.accept(boxing.message_draft("mine", "and greet"))
    steer = state.prepare_steer(1)
    assert steer is not None
    state.commit_steer(steer)
    talk.authority.look()
    assert talk.authority.over(asks("theirs"), "thread") is None
    state.see(steer.key, "item")
    talk.authority.look()
    assert talk.authority.over(asks("theirs"), "thread") is not None


def joined(talk: Conversation) -> UserMessage:
    """A message of ours is on its way into another program's turn; Codex's word that it is in it."""
    state = talk.thread.state
    state.bind_turn(state.begin_elsewhere(), "theirs")
    state.accept(boxing.message_draft("mine", "and greet"))
    steer = state.prepare_steer(1)
    assert steer is not None
    state.commit_steer(steer)
    return UserMessage(id="item", text="and greet", client_id=steer.key)


async def test_a_request_is_decided_by_what_was_heard_before_it_though_that_is_not_handled_yet() -> None:
    talk = Conversation("operator", "read-only")
    ours = said.ItemCompleted("thread", "theirs", joined(talk))
    found = await talk.ask("theirs", ours)
    assert found is not None
    assert found is talk.thread.actions.authorization


async def test_a_request_that_came_before_a_message_of_ours_is_a_persons_though_it_is_judged_after_it() -> (
    None
):
    talk = Conversation("operator", "read-only")
    ours = said.ItemCompleted("thread", "theirs", joined(talk))
    assert await talk.ask("theirs", then=[ours]) is None
    assert talk.thread.actions.authorization is not None


async def test_what_the_turn_after_a_foreign_one_asks_is_decided_although_the_foreign_ones_end_is_not_handled_yet() -> (
    None
):
    talk = Conversation("autopilot", "workspace-write")
    talk.thread.state.bind_turn(talk.thread.state.begin_elsewhere(), "theirs")
    over = said.TurnEnded("thread", "theirs", said.TurnStatus.COMPLETED)
    assert await talk.ask("turn-1", over, said.TurnStarted("thread", "turn-1")) is None, (
        "begun by nobody here"
    )
