"""What the engine told: put in its place, and noted for the screen that shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from core.conversation.feed import (
    AccountRead,
    BoxesAdded,
    BoxesReverted,
    ConversationsChanged,
    Detached,
    DiffChanged,
    FeedEvent,
    HostChanged,
    LimitsChanged,
    LiveDelta,
    LiveDropped,
    LiveStarted,
    Notification,
    NotificationChanged,
    OutboxChanged,
    PlanChanged,
    SelectionChanged,
    StateChanged,
    Told,
    UsageChanged,
)
from tui.open_places import OpenPlaces
from tui.place import Place


@dataclass(slots=True)
class Heard:
    """What changed since the last time: what the screen has to show anew."""

    document: bool = False
    thread: bool = False
    listing: bool = False
    around: bool = False
    """The plan, the changes, the usage or the limits."""
    reread: bool = False
    """Something was taken out of the current conversation."""
    left: bool = False
    """The current conversation was put away or deleted."""
    notifications: list[Notification] = field(default_factory=list[Notification])
    told: list[Told] = field(default_factory=list[Told])
    account: AccountRead | None = None
    host: HostChanged | None = None


class Hearing:
    """Keeps the open places as the engine says they are."""

    def __init__(self, places: OpenPlaces, saw: Callable[[str, int], None]) -> None:
        """`saw` is told up to which box a conversation was seen."""
        self._places = places
        self._saw = saw
        self._heard = Heard()
        self.unread: set[str] = set()
        """Conversations in which something came that was not seen."""

    def taken(self) -> Heard:
        """What changed since this was last asked."""
        heard, self._heard = self._heard, Heard()
        return heard

    def hear(self, event: FeedEvent) -> None:
        heard = self._heard
        match event:
            case NotificationChanged():
                heard.notifications.append(event.notification)
                heard.listing = True
            case ConversationsChanged():
                heard.listing = True
            case Told():
                heard.told.append(event)
            case AccountRead():
                heard.account = event
            case HostChanged():
                heard.host = event
            case LimitsChanged():
                heard.around = True
            case Detached():
                gone = self._places.drop(event.conversation_id)
                heard.left = heard.left or (gone is not None and gone is self._places.current)
            case _:
                self._in_conversation(event)

    def _in_conversation(self, event: FeedEvent) -> None:
        conversation_id = getattr(event, "conversation_id", "")
        if isinstance(event, BoxesAdded):
            self._news(event)
        place = self._places.get(conversation_id)
        if place is not None and self._in_place(place, event) and place is self._places.current:
            self._note_current(event)

    def _news(self, event: BoxesAdded) -> None:
        if event.conversation_id == self._places.current.id:
            for newest in event.boxes[-1:]:
                self._saw(event.conversation_id, newest.id)
        elif event.conversation_id not in self.unread:
            self.unread.add(event.conversation_id)
            self._heard.listing = True

    def _in_place(self, place: Place, event: FeedEvent) -> bool:
        """False where it says nothing about what a place shows."""
        match event:
            case BoxesAdded():
                place.add(event.boxes)
            case LiveStarted() | LiveDelta():
                place.stream(event)
            case LiveDropped():
                place.document.drop_live(event.item_id)
            case OutboxChanged() if not place.loading:
                place.set_outbox(event.entries)
            case StateChanged():
                place.change(event)
                self._heard.listing = True
            case UsageChanged():
                place.usage = event
            case BoxesReverted():
                place.stale = True
                self._heard.reread = self._heard.reread or place is self._places.current
            case PlanChanged() | DiffChanged() | SelectionChanged():
                pass
            case _:
                return False
        return True

    def _note_current(self, event: FeedEvent) -> None:
        heard = self._heard
        heard.document = True
        heard.thread = heard.thread or isinstance(event, StateChanged | UsageChanged | SelectionChanged)
        heard.around = heard.around or isinstance(
            event, StateChanged | UsageChanged | PlanChanged | DiffChanged
        )
