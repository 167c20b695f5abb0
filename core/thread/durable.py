"""The durable thread (seed 000): the state machine, what of it is on disk, and what it may do.

Every method changes the state at once and leaves its records in memory; `checkpoint` writes what is
not on disk yet, from a durable watermark on. The callers call it before anything leaves the process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from core.access.policy import AccessContext, AccessPolicy, ProfileId, authorize
from core.errors import NotRestartable, QuarterdeckError, StoreError
from core.thread.boxes import BoxDraft, ChatBox
from core.thread.codec import Call, Note, PreparedCall, PreparedSteer, Start, render_input
from core.thread.offers import key_of
from core.thread.records import BoxRecord, Record
from core.thread.state import ConversationState, Status
from core.tools.actions import ThreadActions

log = logging.getLogger(__name__)

_NO_DRAFTS: Mapping[str, str] = MappingProxyType({})


class Session(Protocol):
    """Where one conversation's records go."""

    async def persist(self, after: int, records: Sequence[Record], drafts: Mapping[str, str]) -> None:
        """Append after record number `after`, and save what stays in composers, all or nothing.

        Returns when it is on disk; raises StoreError.
        """
        ...

    async def kept(self, after: int) -> Sequence[Record]:
        """What is on disk after record number `after`. Raises StoreError."""
        ...


@dataclass(slots=True)
class Offer:
    """A message that is being written, with the drafts that are to go in the same transaction."""

    drafts: Mapping[str, str]
    write: asyncio.Task[None]


class DurableThread:
    """One conversation: state + records + durable watermark + authorization. It owns the writes it began."""

    def __init__(
        self, state: ConversationState, durable: int, session: Session, actions: ThreadActions
    ) -> None:
        self.state = state
        self.actions = actions
        self._durable = durable
        self._pending: list[Record] = []
        self._drafts: dict[str, str] = {}
        self._offers: dict[str, Offer] = {}
        self._boxes_drained = len(state.boxes)
        self._session = session
        self._writing = asyncio.Lock()
        self._writes: set[asyncio.Task[None]] = set()

    @classmethod
    def recover(cls, records: Iterable[Record], session: Session, actions: ThreadActions) -> DurableThread:
        """The thread as its log says. Raises InvalidState for a log that contradicts itself."""
        log = list(records)
        thread = cls(ConversationState.recover(log), len(log), session, actions)
        thread.state.offers.admit_recovered()
        return thread

    @property
    def boxes(self) -> Sequence[ChatBox]:
        return self.state.boxes

    @property
    def status(self) -> Status:
        return self.state.status

    @property
    def durable(self) -> int:
        """How many records are on disk."""
        return self._durable

    @property
    def durable_boxes(self) -> Sequence[ChatBox]:
        """The boxes that are on disk: those that may be shown."""
        unwritten = sum(isinstance(record, BoxRecord) for record in self._pending)
        return self.state.boxes[: self._boxes_drained - unwritten]

    async def checkpoint(self) -> None:
        """Write what is not on disk yet. A failed write keeps it for the next call. Raises StoreError.

        A caller that is cancelled leaves at once; the write goes on, as what is known to be on disk has to be.
        """
        self._drain()
        if not (self._pending or self._drafts or self._writing.locked()):
            return
        await asyncio.shield(self._begin(self._write()))

    async def close(self) -> None:
        """Return when nothing is being written any more."""
        await asyncio.gather(*self._writes, return_exceptions=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A write that goes on without whoever waits for it."""
        write = asyncio.create_task(work, name="checkpoint")
        self._writes.add(write)
        write.add_done_callback(self._written)
        return write

    def _written(self, write: asyncio.Task[None]) -> None:
        self._writes.discard(write)
        if not write.cancelled() and (error := write.exception()) is not None:
            log.warning("records were not written: %s", error)

    def _drain(self) -> None:
        self._pending.extend(self.state.drain())
        self._boxes_drained = len(self.state.boxes)

    async def _write(self) -> None:
        async with self._writing:
            self._drain()
            records, drafts, offers = tuple(self._pending), self._drafts, tuple(self._offers.values())
            if not (records or drafts):
                return
            self._drafts = {}
            left = dict(drafts)
            for offer in offers:
                left.update(offer.drafts)
            try:
                await self._persist(records, left)
            except BaseException:
                self._drafts = {**drafts, **self._drafts}
                raise
            for offer in offers:
                offer.drafts = {}

    async def _persist(self, records: Sequence[Record], drafts: Mapping[str, str]) -> None:
        """Write them, and no longer hold them as pending. A write that failed may have reached the disk all the same."""
        try:
            await self._session.persist(self._durable, records, drafts)
        except StoreError as error:
            kept = await self._kept(records, error)
            self._count(kept)
            if kept < len(records):
                await self._session.persist(self._durable, records[kept:], drafts)
                self._count(len(records) - kept)
            return
        self._count(len(records))

    async def _kept(self, records: Sequence[Record], error: StoreError) -> int:
        """How many of these are on disk although a write failed. Raises `error` where none is, or others are there."""
        try:
            kept = await self._session.kept(self._durable)
        except QuarterdeckError as unknown:
            raise error from unknown
        if not kept or list(kept) != list(records[: len(kept)]):
            raise error
        return len(kept)

    def _count(self, written: int) -> None:
        self._durable += written
        del self._pending[:written]

    async def accept_user(
        self,
        context: AccessContext,
        profile: ProfileId,
        policy: AccessPolicy,
        box: BoxDraft,
        drafts: Mapping[str, str] = _NO_DRAFTS,
    ) -> str:
        """Accept a message that may go out under this access, once it is on disk. Returns its key.

        Nothing is bound yet: whatever runs now may be another program's. `drafts`, what stays in the composer it
        was written in, are saved with it: a crash finds it either there or here. Where the write fails it was not
        accepted, and its key is as good as new. A caller that is cancelled leaves at once; the write decides.

        Raises Unauthorized, InvalidRequest, StoreError: nothing was accepted.
        """
        authorize(context, profile, policy)
        key = key_of(box)
        if key not in self._offers:
            if key and self.state.knows_key(key):
                return key
            key = self.state.offers.make(box)
            self._offers[key] = Offer(drafts, self._begin(self._settle(key)))
        await asyncio.shield(self._offers[key].write)
        return key

    async def _settle(self, key: str) -> None:
        """The end of an offer: it counts once it is written, and is nobody's but its sender's where that fails."""
        try:
            await self._write()
        except BaseException:
            self.state.offers.refuse(key)
            raise
        else:
            self.state.offers.admit(key)
        finally:
            del self._offers[key]

    def withdraw(self, *keys: str, drafts: Mapping[str, str] = _NO_DRAFTS) -> list[BoxDraft]:
        """Take arrivals back, all or none; the next checkpoint writes it, with the drafts. Raises TransitionError."""
        boxes = self.state.withdraw(*keys)
        self._drafts.update(drafts)
        return boxes

    async def prepare_stage(
        self, job: int | None, said: BoxDraft | None, values: Sequence[Call | Note]
    ) -> list[PreparedCall]:
        """Record a stage; when this returns it is on disk and its calls may start."""
        calls = self.state.prepare_stage(job, said, values)
        await self.checkpoint()
        return calls

    def begin_input(self) -> tuple[Start, str] | None:
        """Take what waits: the start and its text. It may be sent after the next checkpoint."""
        start = self.state.begin()
        return None if start is None else (start, render_input(start.values))

    async def commit_steer(self, prepared: PreparedSteer) -> str:
        """Validate and record a steer, and give its text: when this returns it may be sent."""
        self.state.validate_steer(prepared)
        text = render_input(prepared.values)
        self.state.commit_steer(prepared)
        await self.checkpoint()
        return text

    async def complete(self, job: int) -> bool:
        """End the job. True where input waits."""
        resume = self.state.complete(job)
        await self.checkpoint()
        return resume

    async def fail(self, job: int, error: str, restartable: bool) -> None:
        """Stall the job and take its authorization back."""
        self.state.fail(job, error, restartable)
        self.clear_authorization()
        await self.checkpoint()

    async def restart(self, context: AccessContext, profile: ProfileId, policy: AccessPolicy) -> None:
        """Let the failed input wait again; where that may not be, what waits behind it goes on without it.

        Raises Unauthorized, NotStalled or NotRestartable.
        """
        authorize(context, profile, policy)
        try:
            self.state.restart()
        except NotRestartable:
            if not self.state.go_on():
                raise
        await self.checkpoint()

    async def ask_again(self, context: AccessContext, profile: ProfileId, policy: AccessPolicy) -> None:
        """Have Codex asked once more from where it stands; where it has nothing, what waits goes on. Raises as `restart`."""
        authorize(context, profile, policy)
        try:
            self.state.ask_again()
        except NotRestartable:
            if not self.state.go_on():
                raise
        await self.checkpoint()

    def clear_authorization(self) -> None:
        self.actions.clear_authorization()

    def authorize(self, context: AccessContext, profile: ProfileId, policy: AccessPolicy) -> None:
        """Bind the authorization for a run of ours. Raises Unauthorized."""
        self.actions.bind_authorization(context, profile, policy)
