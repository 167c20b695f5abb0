"""Codex's items as they come, put in their place on the thread: begun, streamed, completed, or cut.

Nothing here writes to disk or waits: the runtime publishes after each event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.agent.events import Channel, Delta
from core.agent.items import (
    Action,
    AgentMessage,
    CommandRun,
    FileChange,
    Item,
    Plan,
    Reasoning,
    Status,
    SubAgentCall,
    ToolCall,
    UserMessage,
    load_item,
)
from core.conversation import boxing
from core.conversation.feed import Feed, LiveDelta, LiveDropped, LiveStarted
from core.conversation.streams import LiveText, StreamRecorder
from core.thread.boxes import CallMeta, ChatBox, InputMeta, ItemMeta, ResultMeta, ToolCallId, hidden_of
from core.thread.codec import Note
from core.thread.state import ConversationState

CODEX_KEEPS = 1_000_000
"""Characters of output from which on Codex's own copy may be cut (PROTOCOL: near 1 MiB). Below that it is
the whole one: what a command puts out in its first tenth of a second may not be streamed at all."""

_CUT_CHANNELS = (Channel.MESSAGE, Channel.PLAN, Channel.SUMMARY)


class ItemRecorder:
    """`job`, where it is asked for, is the number of the job that runs, or None where none does."""

    def __init__(
        self, conversation_id: str, state: ConversationState, streams: StreamRecorder, feed: Feed
    ) -> None:
        self._conversation_id = conversation_id
        self._state = state
        self._streams = streams
        self._feed = feed
        self._calls: dict[str, ToolCallId] = {item: call for call, item in state.open_calls()}
        for item_id in self._calls:
            streams.take_up(item_id)
        self._done: set[str] = _done_items(state.boxes)
        self.declined: Callable[[str], bool] = lambda item_id: False
        """Was it declined? Codex tells only the connection that it asked first (seen on 0.163)."""

    def call_of(self, item_id: str) -> ToolCallId | None:
        """The open call with Codex's item id."""
        return self._calls.get(item_id)

    def has(self, item_id: str) -> bool:
        """Is it recorded to its end?"""
        return item_id in self._done

    def delta(self, delta: Delta) -> None:
        """A piece of an item's text: kept, and told at once."""
        if delta.item_id in self._done:
            return
        if delta.item_id not in self._streams.live:
            item = boxing.streamed_as(delta.channel, delta.item_id)
            if item is not None:
                # We came in the middle of it: its beginning arrives with the completed item.
                self._stream(item, delta.turn_id, missed=True)
        text = self._streams.add(delta)
        self._feed.tell(LiveDelta(self._conversation_id, delta.item_id, delta.channel, text, delta.part))

    def started(self, item: Item, turn_id: str, job: int | None) -> None:
        if item.id in self._done or item.id in self._calls:
            return
        if isinstance(item, AgentMessage | Reasoning | Plan):
            if item.id not in self._streams.live:
                self._stream(item, turn_id)
        elif isinstance(item, CommandRun | FileChange | ToolCall | SubAgentCall):
            self._call(item, turn_id, job)

    def completed(self, item: Item, turn_id: str, job: int | None) -> None:
        """Put the item in its place. One that is there already changes nothing."""
        if item.id in self._done:
            return
        if isinstance(item, CommandRun | FileChange | ToolCall | SubAgentCall):
            if item.status is Status.RUNNING:
                self.started(item, turn_id, job)
                return
            self._return(item, turn_id, job)
        elif isinstance(item, UserMessage):
            self._user_message(item, turn_id, job)
        else:
            self._streams.finish(item.id)
            self._note(item, turn_id, job)
        self._done.add(item.id)

    def close_open(self, turn_id: str, job: int | None) -> None:
        """Items without an end get none from Codex (PROTOCOL, Turns): what came of them is kept as cut.

        A sub-agent may end after its turn: it stays open.
        """
        self._done.update(self._cut_streams(turn_id, job))
        for item_id, call in tuple(self._calls.items()):
            started = self._started_item(call)
            if not isinstance(started, SubAgentCall):
                self._cut_call(item_id, call, started)

    def _stream(self, item: Item, turn_id: str, *, missed: bool = False) -> None:
        self._streams.start(item, turn_id, missed=missed)
        self._feed.tell(LiveStarted(self._conversation_id, item))

    def _call(self, item: Action, turn_id: str, job: int | None) -> ToolCallId:
        call = self._state.prepare_stage(job, None, [boxing.call_of(item, turn_id)])[0]
        self._calls[item.id] = call.id
        self._streams.start(item, turn_id)
        return call.id

    def _return(self, item: Action, turn_id: str, job: int | None) -> None:
        call = self._calls.get(item.id)
        if call is None:
            call = self._call(item, turn_id, job)
        live = self._streams.finish(item.id)
        self._state.calls.accept_return(
            call,
            item.status is Status.DONE,
            _whole_output(item, live),
            "item",
            boxing.dump_item(boxing.without_output(item)),
        )
        del self._calls[item.id]

    def _user_message(self, item: UserMessage, turn_id: str, job: int | None) -> None:
        awaited = item.client_id is not None and self._state.awaits(item.client_id)
        ours = item.client_id is not None and self._state.knows_key(item.client_id.partition(".")[0])
        if ours and not awaited:
            return
        # Codex drops the answer that a steer breaks into (PROTOCOL, Turns): what was seen of it stays.
        self._cut_streams(turn_id, job)
        if item.client_id is None or not self._state.see(item.client_id, item.id):
            self._note(item, turn_id, job)

    def _note(self, item: Item, turn_id: str, job: int | None) -> None:
        self._state.prepare_stage(job, None, [Note(boxing.box_of(item, turn_id))])

    def _cut_streams(self, turn_id: str, job: int | None) -> list[str]:
        """Keep what came of the texts that were streaming, as cut. Returns their item ids."""
        cut = [item_id for item_id in self._streams.of_turn(turn_id) if item_id not in self._calls]
        for item_id in cut:
            live = self._streams.finish(item_id)
            if live is not None and live.item is not None and live.pieces:
                texts, raw = live.parts(*_CUT_CHANNELS), live.parts(Channel.REASONING)
                self._note(boxing.cut_item(live.item, texts, raw), turn_id, job)
            else:
                self._feed.tell(LiveDropped(self._conversation_id, item_id))
        return cut

    def _cut_call(self, item_id: str, call: ToolCallId, started: Item | None) -> None:
        """Nobody saw how this call ended."""
        live = self._streams.finish(item_id)
        output = live.text(Channel.OUTPUT) if live is not None else ""
        metadata = ""
        if isinstance(started, CommandRun | FileChange | ToolCall | SubAgentCall):
            metadata = boxing.dump_item(boxing.cut_action(started, declined=self.declined(item_id)))
        self._state.calls.accept_return(call, False, output, "item" if metadata else "", metadata)
        self._calls.pop(item_id, None)
        self._done.add(item_id)

    def _started_item(self, call: ToolCallId) -> Item | None:
        meta = hidden_of(self._state.boxes[call - 1])
        return load_item(meta.item_json) if isinstance(meta, CallMeta) and meta.item_json else None


def _whole_output(item: Action, live: LiveText | None) -> str:
    output = boxing.output_of(item)
    if live is None or not isinstance(item, CommandRun) or 0 < len(output) < CODEX_KEEPS:
        return output
    return max(output, live.text(Channel.OUTPUT), key=len)


def _done_items(boxes: Sequence[ChatBox]) -> set[str]:
    """Codex's ids of the items that are recorded to their end."""
    done: set[str] = set()
    calls: dict[int, str] = {}
    for box in boxes:
        match hidden_of(box):
            case ItemMeta(item_id=item_id):
                done.add(item_id)
            case CallMeta(item_id=item_id):
                calls[box.id] = item_id
            case ResultMeta(tool_call_id=call) if call in calls:
                done.add(calls[call])
            case InputMeta(key=key, elsewhere=True):
                done.add(key)
            case _:
                pass
    return done
