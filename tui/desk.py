"""What the console has open: the conversations, their texts and drafts, and what the engine told since.

No widgets: a screen shows what is here and asks for it to change.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from core.conversation.feed import Notification, OutboxEntry
from core.conversation.info import Conversation, ConversationInfo
from core.conversation.workspace import Choices
from core.ending import to_its_end
from core.engine import Engine
from core.errors import QuarterdeckError, StoreError
from tui.bridge import Bridge
from tui.drafts import DraftKeeper
from tui.hearing import Heard, Hearing
from tui.open_places import OpenPlaces
from tui.place import Place, waiting_of
from tui.seen import SeenKeeper
from tui.widgets.writing import Outgoing, Writing

PAGE = 200
"""Boxes read at a time."""


def new_key() -> str:
    """A message's identity."""
    return os.urandom(16).hex()


class Desk:
    """Belongs to one screen. `wake` is called when there is something to `take`."""

    def __init__(
        self,
        engine: Engine,
        folder: Path,
        writing: Writing,
        *,
        wake: Callable[[], None],
        failed: Callable[[QuarterdeckError], None],
    ) -> None:
        """`writing` is what was written before the engine was there."""
        self.engine = engine
        self.folder = folder
        self.infos: tuple[ConversationInfo, ...] = ()
        self._places = OpenPlaces(Place(folder, writing))
        writing.draft_key = ""  # It has still to be put together with what was written there before.
        self._failed = failed
        self._drafts = DraftKeeper(engine.save_draft, failed)
        self._seen = SeenKeeper(engine.seen.mark)
        self._hearing = Hearing(self._places, self._seen.saw)
        self._unseen_read = False
        self._bridge = Bridge(engine.feed, wake)

    @property
    def current(self) -> Place:
        """The place that is shown."""
        return self._places.current

    @property
    def unread(self) -> set[str]:
        """Conversations in which something came that was not seen, in this console or before it began."""
        return self._hearing.unread

    def title_of(self, conversation_id: str | None) -> str:
        """As the list has it, "" where it does not."""
        return next((info.title for info in self.infos if info.id == conversation_id), "")

    # What the engine told.

    def take(self) -> Heard:
        """Put everything that was told in its place, and say what changed."""
        self._hear()
        heard = self._hearing.taken()
        if heard.notifications:
            for place in self._places.all():
                place.set_asked(self.engine.pending())
            heard.document = True
        return heard

    def _hear(self) -> None:
        for event in self._bridge.take():
            self._hearing.hear(event)

    # Going from one conversation to another.

    async def open(self, conversation_id: str, writing: Writing | None = None) -> None:
        """Make a conversation the current one. Raises NotFound, StoreError.

        `writing`: what was written before it was known to be for this conversation.
        """
        place = self._places.get(conversation_id)
        if place is None:
            place = await self._load(conversation_id, writing or Writing(new_key))
        elif place.stale:
            place.forget_boxes()
            try:
                await self._fill(place)
            except BaseException:
                place.stale = True
                raise
        self._places.go(conversation_id, place)
        self._see(place)

    def _see(self, place: Place) -> None:
        if place.id is not None:
            self.unread.discard(place.id)
            self._seen.saw(place.id, place.document.last_box_id)

    async def begin(self, path: Path, writing: Writing | None = None) -> Place:
        """Make the next conversation of a folder the current one, which is given. Raises StoreError."""
        place = self._places.fresh(path)
        if place is None or writing is not None:
            writing = writing or Writing(new_key)
            await self._drafts.flush()
            writing.restore(await self.engine.draft(str(path)))
            place = Place(path, writing)
            self._places.add_fresh(place)
        self._places.current = place
        return place

    async def latest(self) -> ConversationInfo | None:
        """The last conversation of the folder. Raises InvalidRequest, StoreError."""
        return await self.engine.latest(self.folder)

    async def earlier(self, place: Place) -> bool:
        """Read the page before what is shown. False where there is none. Raises StoreError."""
        before = place.document.first_box_id
        async with place.paging:
            if place.complete or place.loading or place.conversation is None:
                return False
            if place.document.first_box_id == before:
                page = await place.conversation.page(before=before, limit=PAGE)
                place.prepend(page, PAGE)
        return True

    async def reach(self, place: Place, box_id: int) -> None:
        """Read pages until a box is among them, or there are no more. Raises StoreError."""
        while place.document.first_box_id > box_id and await self.earlier(place):
            continue

    async def reload(self) -> None:
        """Read the list again, and who writes the current conversation. Raises StoreError."""
        if not self._unseen_read:
            self.unread.update(await self.engine.seen.unseen())
            self._unseen_read = True
            self._see(self.current)
        self.infos = await self.engine.conversations()
        place = self.current
        if place.conversation is not None and place.writer:
            place.conversation = await self.engine.open(place.conversation.id)

    async def _load(self, conversation_id: str, writing: Writing) -> Place:
        conversation = await self.engine.open(conversation_id)
        await self._drafts.flush()
        writing.restore(await self.engine.draft(conversation_id))
        place = Place(Path(conversation.info.path), writing, conversation)
        self._places.add(conversation_id, place)
        try:
            await self._fill(place)
        except BaseException:
            self._places.drop(conversation_id)
            raise
        return place

    async def _fill(self, place: Place) -> None:
        assert place.conversation is not None
        page = await place.conversation.page(limit=PAGE)
        self._hear()
        place.loaded(page, PAGE)
        place.set_asked(self.engine.pending())
        await place.conversation.live()

    # What a person writes and decides.

    async def send(self, place: Place, message: Outgoing) -> None:
        """Have the engine take a message: it is on disk when this returns, and no longer in the draft.

        Raises InvalidRequest, Conflict, Unauthorized, StoreError: it is still in the draft then.
        """
        async with place.sending, self._drafts.held():
            conversation = await self._begun(place)
            if place.writer:
                conversation = place.conversation = await self.engine.open(conversation.id)
            try:
                await to_its_end(self._hand_over(conversation, place, message))
            except QuarterdeckError:
                self.edited(place.writing)
                raise

    async def _hand_over(self, conversation: Conversation, place: Place, message: Outgoing) -> None:
        """Cut off in the middle, the draft would not know that the engine has it."""
        left = place.writing.draft_without(message.key)
        await conversation.send(
            message.text,
            message.key,
            queue=message.queue,
            attachments=message.attachments,
            drafts={**place.outlived_drafts, place.draft_key: left},
        )
        place.outlived_drafts = {}
        place.writing.taken(message.key)

    async def begin_now(self, place: Place) -> str:
        """The id of its conversation, made before there is a message. Raises InvalidRequest, StoreError."""
        async with place.sending:
            return (await self._begun(place)).id

    async def _begun(self, place: Place) -> Conversation:
        if place.conversation is None:
            place.begin(await self.engine.create(place.path, place.choices))
            assert place.conversation is not None
            self._places.begun(place.conversation.id, place)
        return place.conversation

    async def take_back(self, place: Place, entry: OutboxEntry) -> None:
        """Take a waiting message back; its text is in the draft when this returns.

        Raises TransitionError once it is on its way.
        """
        async with place.sending, self._drafts.held():
            draft = place.writing.draft_with(entry.text, entry.attachments)
            await self._withdraw(place, (entry,), draft)

    async def take_all_back(self, conversation_id: str) -> tuple[Place, str]:
        """Take every message back that would begin a turn by itself, in their order.

        Where they are written, and their text ("" for none), which is in the draft when this returns: what is
        shown there is still to be changed. What Codex has, or is on its way there, is left, and what waits in
        another console. Raises NotFound, StoreError where the conversation cannot be opened.
        """
        place = await self._place_in(conversation_id)
        async with place.sending, self._drafts.held():
            assert place.conversation is not None
            waiting = () if place.writer else waiting_of(place.conversation.outbox)
            returned = place.writing.returned_all((entry.text, entry.attachments) for entry in waiting)
            if waiting:
                await self._withdraw(place, waiting, place.writing.draft_behind(returned))
        return place, returned

    async def _withdraw(self, place: Place, entries: Sequence[OutboxEntry], draft: str) -> None:
        """They wait no more when this returns: what could not be written of it is told, and goes with the next record."""
        assert place.conversation is not None
        try:
            await place.conversation.withdraw(
                *(entry.key for entry in entries), drafts={place.draft_key: draft}
            )
        except StoreError as error:
            self._failed(error)

    async def select(self, place: Place, change: Choices) -> None:
        """Switch what `change` says: from the next turn on, or for the beginning of what there is not yet.

        Raises InvalidRequest, Unauthorized, Conflict, CodexError, StoreError.
        """
        async with place.sending:
            if place.conversation is not None:
                await place.conversation.select(change)
            else:
                place.choices = await self.engine.switches.choose(place.path, place.choices, change)
                await self.learn_beginning(place)

    async def learn_beginning(self, place: Place) -> None:
        """What the conversation that is begun next runs with. Raises InvalidRequest, CodexError, StoreError."""
        if place.conversation is None:
            place.beginning = await self.engine.switches.beginning(place.path, place.choices)

    def edited(self, writing: Writing) -> None:
        """A draft is another."""
        if writing.draft_key:
            self._drafts.note(writing.draft_key, lambda: writing.draft)

    def place_of(self, writing: Writing) -> Place | None:
        """Where something is written; None where that was put away or deleted."""
        return self._places.of(writing)

    async def writing_of(self, conversation_id: str | None) -> Writing:
        """What is written in a conversation, in the current one for None. Raises NotFound, StoreError."""
        return (await self._place_in(conversation_id)).writing if conversation_id else self.current.writing

    async def _place_in(self, conversation_id: str) -> Place:
        """Where a conversation is, read for it if it is not open yet. Raises NotFound, StoreError."""
        return self._places.get(conversation_id) or await self._load(conversation_id, Writing(new_key))

    def pending(self) -> tuple[tuple[Notification, ...], tuple[Notification, ...]]:
        """What waits for a person here, and what waits in other conversations; each oldest first.

        What belongs to no conversation is shown everywhere.
        """
        here: list[Notification] = []
        elsewhere: list[Notification] = []
        for one in self.engine.pending():
            (here if one.conversation_id in (None, self.current.id) else elsewhere).append(one)
        return tuple(here), tuple(elsewhere)

    async def close(self) -> None:
        """Save the drafts and hear no more."""
        self._bridge.close()
        await self._seen.close()
        await self._drafts.close()
