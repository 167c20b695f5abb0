"""Messages in wire order -> events, and the requests that wait for an answer.

A file approval is raised with its joined diff. If its patch was started before we listened, the diff is
fetched first; everything else goes on meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pydantic import ValidationError

from core.agent.events import AgentEvent, Notice, RequestRaised, RequestSettled
from core.agent.requests import Answer, RequestKey
from core.codex.events import to_events, unknown
from core.codex.patches import Patch, Patches
from core.codex.protocol.notifications import RequestResolved
from core.codex.protocol.requests import AnswerModel, FileChangeRequest
from core.codex.requests import (
    FILE_CHANGE,
    NEVER_OURS,
    to_file_approval,
    to_other,
    to_request,
    to_wire_answer,
)
from core.codex.rpc import Asked, Incoming, Malformed, RequestId, Told
from core.codex.translate import fields_of
from core.errors import CodexError

CONFIRM_SECONDS = 2.0
"""How long after a resume a request may be asked again."""

FetchPatch = Callable[[FileChangeRequest], Awaitable[Patch]]
"""Ask Codex for the patch of a file approval; an empty one if it has none. Raises CodexError."""


@dataclass(frozen=True, slots=True)
class WireReply:
    """A decision as it goes to Codex."""

    asked: Asked
    answer: AnswerModel


class Intake:
    """The one handler of the messages of all connections; `emit` gets the events, synchronously."""

    def __init__(
        self,
        emit: Callable[[AgentEvent], None],
        refuse: Callable[[RequestId, str], None],
        fetch_patch: FetchPatch,
    ) -> None:
        self._emit = emit
        self._refuse = refuse
        self._fetch_patch = fetch_patch
        self._generation = ""
        self._waiting: dict[RequestId, Asked] = {}
        self._unconfirmed: set[RequestId] = set()
        self._echoes: set[RequestId] = set()
        self._patches = Patches()
        self._fetches: dict[RequestId, asyncio.Task[None]] = {}
        self._timers: list[asyncio.TimerHandle] = []

    def begin(self, generation: str) -> None:
        """A connection stands. What an earlier host waited for is gone with it.

        What the same host waited for it probably still does: an answer to it is taken on any connection.
        """
        if generation != self._generation:
            self._generation = generation
            self._waiting.clear()
        self._unconfirmed = set(self._waiting)
        self._echoes.clear()
        self._patches.clear()

    async def end(self) -> None:
        """The connection is gone, and with it what was waited for on it."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        tasks = tuple(self._fetches.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def take(self, message: Incoming) -> None:
        """Handle one message, without waiting for anything."""
        match message:
            case Told(method="serverRequest/resolved"):
                self._resolved(message)
            case Told():
                if message.method == "item/fileChange/patchUpdated":
                    self._patches.update(message.params)
                for event in to_events(message):
                    self._patches.note(event)
                    self._emit(event)
            case Asked():
                self._asked(message)
            case Malformed():
                text = f"Codex sent something that is no message ({message.count} by now): {message.excerpt}"
                self._emit(Notice(None, "warning", text))

    def reply_to(self, key: RequestKey, answer: Answer) -> WireReply | None:
        """What to send for a decision; None if nobody waits for it. It is taken: a second one gets None.

        Raises InvalidRequest for an answer that is not one to this request.
        """
        asked = self._waiting.get(key.id) if key.generation == self._generation else None
        if asked is None:
            return None
        reply = WireReply(asked, to_wire_answer(asked.method, answer))
        del self._waiting[key.id]
        return reply

    def not_sent(self, reply: WireReply) -> None:
        """The connection broke under a reply: it can be given again."""
        self._waiting[reply.asked.id] = reply.asked

    def resuming(self, thread_id: str, *, quietly: bool = False) -> None:
        """A thread is about to be resumed, so Codex will ask again what it waits for there.

        `quietly`: it is resumed for its items alone, and what is asked again is not raised again.
        """
        ids = {request_id for request_id, asked in self._waiting.items() if _thread_of(asked) == thread_id}
        self._echoes = self._echoes | ids if quietly else self._echoes - ids

    def resumed(self, thread_id: str) -> None:
        """A thread was resumed: what it waits for is being asked again, mostly before the answer to that,
        sometimes a little after. What is not, was settled while we were away.
        """
        if any(_thread_of(self._waiting[request_id]) == thread_id for request_id in self._stale()):
            loop = asyncio.get_running_loop()
            self._timers.append(loop.call_later(CONFIRM_SECONDS, self._settle_stale, thread_id))

    def _settle_stale(self, thread_id: str) -> None:
        for request_id in self._stale():
            if _thread_of(self._waiting[request_id]) == thread_id:
                self._settle(thread_id, request_id)

    def _stale(self) -> set[RequestId]:
        return self._unconfirmed & self._waiting.keys()

    def _asked(self, asked: Asked) -> None:
        why_never = NEVER_OURS.get(asked.method)
        if why_never is not None:
            self._refuse(asked.id, why_never)
            return
        self._unconfirmed.discard(asked.id)
        if asked.id in self._echoes:
            self._echoes.discard(asked.id)
            return
        self._waiting[asked.id] = asked
        if asked.method == FILE_CHANGE:
            self._file_change_asked(asked)
        else:
            self._emit(RequestRaised(to_request(asked, self._key(asked.id))))

    def _file_change_asked(self, asked: Asked) -> None:
        try:
            request = FileChangeRequest.model_validate(asked.params)
        except ValidationError:
            self._emit(RequestRaised(to_other(asked, self._key(asked.id))))
            return
        if self._patches.knows(request.thread_id, request.item_id):
            patch = self._patches.get(request.thread_id, request.item_id)
            self._raise_file_change(asked, request, patch)
        elif asked.id not in self._fetches:
            task = asyncio.get_running_loop().create_task(self._fetch(asked, request))
            self._fetches[asked.id] = task
            task.add_done_callback(lambda _: self._fetches.pop(asked.id, None))

    async def _fetch(self, asked: Asked, request: FileChangeRequest) -> None:
        try:
            patch = await self._fetch_patch(request)
        except CodexError as error:
            self._emit(Notice(request.thread_id, "warning", str(error)))
            patch = ()
        if asked.id in self._waiting:
            self._raise_file_change(asked, request, patch)

    def _raise_file_change(self, asked: Asked, request: FileChangeRequest, patch: Patch) -> None:
        """A patch that we do not understand cannot be judged here; one that is missing can be declined."""
        key = self._key(asked.id)
        if patch is None:
            self._emit(RequestRaised(to_other(asked, key)))
            return
        if not patch:
            text = "What a patch changes cannot be had from Codex, so here it can only be declined."
            self._emit(Notice(request.thread_id, "warning", text))
        self._emit(RequestRaised(to_file_approval(key, request, patch)))

    def _resolved(self, told: Told) -> None:
        try:
            resolved = RequestResolved.model_validate(told.params)
        except ValidationError:
            self._emit(unknown(told))
            return
        self._settle(resolved.thread_id, resolved.request_id)

    def _settle(self, thread_id: str, request_id: RequestId) -> None:
        self._waiting.pop(request_id, None)
        self._echoes.discard(request_id)
        self._emit(RequestSettled(thread_id, self._key(request_id)))

    def _key(self, request_id: RequestId) -> RequestKey:
        return RequestKey(generation=self._generation, id=request_id)


def _thread_of(asked: Asked) -> object:
    return fields_of(asked.params).get("threadId")
