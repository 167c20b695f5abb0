"""What a person is writing in one conversation: the text, what is on its way to disk, what was said before. Pure.

A message is here until the engine has it on disk; one that could not be taken comes back into the text,
and is sent again under the same key as long as it is the same message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tui.composing.draft import dump_draft, load_draft
from tui.composing.meaning import Said, meaning
from tui.composing.parts import Parts, images_in


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that the engine has not taken yet. `key` is its identity, for ever.

    `text` is what Codex gets, `written` what stood in the composer, with placeholders. `queue`: it is to wait
    for the end of the turn. `attachments` are paths of images.
    """

    key: str
    text: str
    queue: bool = False
    attachments: tuple[str, ...] = ()
    written: str = ""


class Writing:
    """One conversation's, or that of a folder's next conversation."""

    def __init__(self, new_key: Callable[[], str], text: str = "") -> None:
        self._new_key = new_key
        self._text = text
        self._field: Callable[[], str] | None = None
        self._unshown = False
        self.parts = Parts()
        self.draft_key = ""
        """Under which its draft is kept, "" until it is known where it belongs. It outlives the place."""
        self.outgoing: tuple[Outgoing, ...] = ()
        self.command = ""
        """A command of the person's that runs, or whose output waits for a word; kept like a text until then."""
        self._returned: Outgoing | None = None
        self._said: list[str] = []
        self._recalled: int | None = None

    @property
    def text(self) -> str:
        """What stands in the composer. It is read there when it is wanted: a key costs the same in any text."""
        return self._text if self._field is None or self._unshown else self._field()

    @text.setter
    def text(self, text: str) -> None:
        self._text, self._unshown = text, True

    def attach(self, field: Callable[[], str]) -> None:
        """It is written in a field from now on, whose text that gives; `shown` says when it has this one."""
        self._field, self._unshown = field, True

    def shown(self) -> None:
        """The field has the text."""
        self._text, self._unshown = "", False

    def detach(self) -> None:
        """The field goes on with another writing."""
        self._text = self.text
        self._field = None

    @property
    def draft(self) -> str:
        """Everything that would be lost if it were not kept."""
        return self.draft_without("")

    def put_back(self, text: str, images: Iterable[str]) -> None:
        """Put such a message at the end of the text."""
        self.text = _joined([self.text] if self.text else [], self.returned(text, images))

    def behind(self, returned: str) -> str:
        """The text behind messages that were sent from here: it is no command, whatever they begin with."""
        plain = returned if isinstance(meaning(returned), Said) else f" {returned}"
        return f"{plain}\n\n{self.text}" if self.text.strip() else plain

    def draft_without(self, key: str) -> str:
        """The draft once the engine has this message."""
        return self._draft_of(self.text, without=key)

    def draft_behind(self, returned: str) -> str:
        """The draft once such messages stand before the text."""
        return self._draft_of(self.behind(returned))

    def _draft_of(self, text: str, *, without: str = "") -> str:
        """With everything of which the engine has nothing yet."""
        running = [f"!{self.command}"] if self.command else []
        text = _joined([*running, *(one.written for one in self.outgoing if one.key != without)], text)
        return dump_draft(text, self.parts.within(text))

    def restore(self, draft: str) -> None:
        """What was written here earlier stands before what was written meanwhile."""
        if draft:
            text, parts = load_draft(draft)
            self.text = _joined([self.parts.adopt(text, parts)], self.text)

    def returned(self, text: str, images: Iterable[str]) -> str:
        """A message that was sent from here, as it is put into the text again: its images are parts once more."""
        return self.parts.adopt(text, images_in(text, images))

    def returned_all(self, messages: Iterable[tuple[str, Iterable[str]]]) -> str:
        """Several, each with its images, as one text."""
        return "\n\n".join(self.returned(text, images) for text, images in messages)

    def draft_with(self, text: str, images: Iterable[str]) -> str:
        """The draft once such a message stands in the text again."""
        kept, parts = load_draft(self.draft)
        return dump_draft(_joined([kept] if kept else [], text), {**parts, **images_in(text, images)})

    def submit(
        self, *, queue: bool = False, attachments: Iterable[str] = (), said: str | None = None
    ) -> Outgoing | None:
        """The text becomes a message on its way; None where there is nothing to send.

        `attachments` are images besides those that are parts of it. `said` is what is meant, where what stands
        there is not taken as it stands.
        """
        written = self.text.strip("\n")
        if not written.strip():
            return None
        returned = self._returned
        key = returned.key if returned is not None and returned.written == written else self._new_key()
        text, images = self.parts.expand(written if said is None else said)
        message = Outgoing(key, text, queue, tuple(dict.fromkeys((*images, *attachments))), written)
        self.outgoing = (*self.outgoing, message)
        self._returned = None
        self._recalled = None
        self.text = ""
        return message

    def say(self, text: str, images: Iterable[str] = ()) -> Outgoing:
        """A message on its way besides what is written, which stays. One that is refused comes before it, as text."""
        images = tuple(dict.fromkeys(images))
        written = self.returned(text, images)
        if not isinstance(meaning(written), Said):
            written = f" {written}"
        message = Outgoing(self._new_key(), text, attachments=images, written=written)
        self.outgoing = (*self.outgoing, message)
        return message

    def taken(self, key: str) -> None:
        """The engine has it."""
        message = self._remove(key)
        if message is not None and self.parts:
            here = _joined([one.written for one in self.outgoing], self.text)
            still = self.parts.within(here)
            self.parts.forget(part for part in self.parts.within(message.written) if part not in still)

    def refused(self, key: str) -> None:
        """The engine could not take it: it stands before what was written since."""
        message = self._remove(key)
        if message is not None:
            self._returned = message
            self.text = _joined([message.written], self.text)

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
        text = self.text
        if self._recalled is not None and text != self._said[self._recalled]:
            self._recalled = None
        place = self._recalled
        if place is None and (text or step > 0):
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
