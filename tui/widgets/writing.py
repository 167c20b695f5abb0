"""What a person is writing in one conversation: the text, what is on its way to disk, what was said before. Pure.

A message is here until the engine has it on disk; one that could not be taken comes back into the text,
and is sent again under the same key as long as it is the same message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that the engine has not taken yet. `key` is its identity, for ever."""

    key: str
    text: str


class Writing:
    """One conversation's, or that of a folder's next conversation."""

    def __init__(self, new_key: Callable[[], str], text: str = "") -> None:
        self._new_key = new_key
        self.text = text
        self.outgoing: tuple[Outgoing, ...] = ()
        self._returned: Outgoing | None = None
        self._said: list[str] = []
        self._recalled: int | None = None

    @property
    def draft(self) -> str:
        """Everything that would be lost if it were not kept."""
        return _joined([message.text for message in self.outgoing], self.text)

    def restore(self, draft: str) -> None:
        """What was written here earlier stands before what was written meanwhile."""
        if draft:
            self.text = _joined([draft], self.text)

    def submit(self) -> Outgoing | None:
        """The text becomes a message on its way; None where there is nothing to send."""
        text = self.text.strip("\n")
        if not text.strip():
            return None
        returned = self._returned
        key = returned.key if returned is not None and returned.text == text else self._new_key()
        message = Outgoing(key, text)
        self.outgoing = (*self.outgoing, message)
        self._returned = None
        self._recalled = None
        self.text = ""
        return message

    def taken(self, key: str) -> None:
        """The engine has it."""
        self._remove(key)

    def refused(self, key: str) -> None:
        """The engine could not take it: it stands before what was written since."""
        message = self._remove(key)
        if message is not None:
            self._returned = message
            self.text = _joined([message.text], self.text)

    def heard(self, said: Sequence[str]) -> None:
        """Messages of this conversation, in order, newer than those heard before."""
        self._said.extend(said)

    def heard_before(self, said: Sequence[str]) -> None:
        """Older ones."""
        self._said[:0] = said
        if self._recalled is not None:
            self._recalled += len(said)

    def recall(self, step: int) -> str | None:
        """The message before (-1) or after (1) the recalled one; None where nothing is to be recalled.

        Only what is empty or was recalled and not changed gives way.
        """
        place = self._recalled
        shown = "" if place is None else self._said[place]
        if self.text != shown or (place is None and step > 0):
            return None
        place = (len(self._said) if place is None else place) + step
        if place < 0:
            return None
        if place >= len(self._said):
            self._recalled = None
            return ""
        self._recalled = place
        return self._said[place]

    def _remove(self, key: str) -> Outgoing | None:
        found = next((message for message in self.outgoing if message.key == key), None)
        self.outgoing = tuple(message for message in self.outgoing if message is not found)
        return found


def _joined(before: Sequence[str], text: str) -> str:
    return "\n".join((*before, text) if text else before)
