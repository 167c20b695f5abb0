"""A conversation that another console writes: shown as it grows, and never touched."""

from __future__ import annotations

from core.conversation.choosing import Selected
from core.conversation.feed import BoxesAdded, BoxesReverted, Feed, StateChanged, ThreadState
from core.conversation.info import ConversationInfo
from core.conversation.pages import reverted_in, visible_page
from core.conversation.ports import RecordLog
from core.conversation.read_only import ReadOnlyConversation
from core.errors import Conflict
from core.thread.boxes import ChatBox
from core.thread.records import BoxRecord
from core.thread.state import Status
from core.thread.thread import Span


class FollowedConversation(ReadOnlyConversation):
    """Implements `core.conversation.info.Conversation`; whatever would write raises Conflict."""

    def __init__(
        self,
        info: ConversationInfo,
        writer: str,
        selection: Selected,
        records: RecordLog,
        seq: int,
        feed: Feed,
        reverted: tuple[Span, ...] = (),
    ) -> None:
        """`seq`: the number of the last record that `page` shows; `selection` as far as the store knows it.

        `reverted`: the boxes that a page leaves out.
        """
        super().__init__(info, writer, selection)
        self._records = records
        self._seq = seq
        self._reverted = reverted
        self._feed = feed

    @property
    def state(self) -> ThreadState:
        return ThreadState(Status(self.info.state))

    async def page(self, before: int | None = None, limit: int = 200) -> tuple[ChatBox, ...]:
        return await visible_page(self._records, self.id, before, limit, self._reverted)

    async def live(self) -> None:
        """What streams is only in the other console; its boxes come when they are recorded."""

    async def catch_up(self, info: ConversationInfo) -> None:
        """Tell what the other console recorded since. Raises StoreError."""
        changed = info.state != self.info.state
        self.info = info
        records = await self._records.read(self.id, self._seq)
        self._seq += len(records)
        boxes = tuple(record.box for record in records if isinstance(record, BoxRecord))
        if boxes:
            self._feed.tell(BoxesAdded(self.id, boxes))
        reverted = reverted_in(records)
        self._reverted += reverted
        for span in reverted:
            self._feed.tell(BoxesReverted(self.id, span.first, span.last))
        if changed:
            self._feed.tell(StateChanged(self.id, self.state))

    async def detach(self) -> None:
        """Nothing is held."""

    def _refusal(self) -> Conflict:
        if self.info.archived:
            return Conflict(
                "This conversation is archived",
                todo="Bring it back first: /unarchive, or in the sessions browser.",
            )
        return Conflict(
            "This conversation is read-only here",
            why=f"{self.writer} writes it",
            todo="Close it there, then open it here again.",
        )
