"""The places that the console has open, and which of them is the current one."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

from tui.place import Place
from tui.widgets.writing import Writing

KEPT = 16
"""Conversations that are kept open after they were left."""


class OpenPlaces:
    """Conversations by their ids, the one that was current last at the end, and folders in which one may begin."""

    def __init__(self, current: Place) -> None:
        """`current` has no conversation yet."""
        self.current = current
        self._conversations: OrderedDict[str, Place] = OrderedDict()
        self._fresh = {current.path: current}

    def get(self, conversation_id: str) -> Place | None:
        return self._conversations.get(conversation_id)

    def all(self) -> tuple[Place, ...]:
        """The conversations that are open."""
        return tuple(self._conversations.values())

    def fresh(self, path: Path) -> Place | None:
        """Where the next conversation of a folder is begun."""
        return self._fresh.get(path)

    def add(self, conversation_id: str, place: Place) -> None:
        self._conversations[conversation_id] = place

    def add_fresh(self, place: Place) -> None:
        self._fresh[place.path] = place

    def begun(self, conversation_id: str, place: Place) -> None:
        """It has a conversation now; the next one of its folder begins elsewhere."""
        self._fresh.pop(place.path, None)
        self._conversations[conversation_id] = place

    def drop(self, conversation_id: str) -> Place | None:
        """The place that was open, if there was one."""
        return self._conversations.pop(conversation_id, None)

    def go(self, conversation_id: str, place: Place) -> None:
        """Make a conversation's place the current one."""
        # What was written before goes with this conversation, and belongs to no other any more.
        self._fresh = {path: one for path, one in self._fresh.items() if one.writing is not place.writing}
        self._conversations[conversation_id] = place
        self._conversations.move_to_end(conversation_id)
        self.current = place
        self._forget_some()

    def of(self, writing: Writing) -> Place | None:
        """Where something is written; None where that was put away or deleted."""
        places = (*self._conversations.values(), *self._fresh.values())
        return next((place for place in places if place.writing is writing), None)

    def _forget_some(self) -> None:
        """What was left long ago and has nothing on its way is read again when it is wanted."""
        for conversation_id, place in tuple(self._conversations.items())[:-KEPT]:
            if not place.writing.outgoing and not place.writing.command and place is not self.current:
                del self._conversations[conversation_id]
