"""Entries: the panes of a transcript, as cheap handles on what they are made of.

Nothing is parsed here: 10,000 entries cost 10,000 small objects. `reading.read` gives an entry's typed
content when it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.agent.events import Channel
from core.thread.boxes import USER

if TYPE_CHECKING:
    from core.agent.items import Item
    from core.thread.boxes import ChatBox


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message in the outbox. `key` is the `InputMeta.key` that its box has or will have.

    `state` is how far it got on its way to Codex: accepted, sent or seen.
    """

    key: str
    text: str
    state: str


class Growing:
    """A text that grows by pieces; joining is put off until somebody reads it."""

    __slots__ = ("_pieces", "_text")

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._pieces: list[str] = []

    def add(self, text: str) -> None:
        self._pieces.append(text)

    @property
    def text(self) -> str:
        if self._pieces:
            self._text += "".join(self._pieces)
            self._pieces.clear()
        return self._text


class Output:
    """What a command printed: all of it while that is little, then its beginning and its end.

    `skipped_lines` and `skipped` (characters) count what is left out between `head` and `tail`.
    """

    HEAD = 32_768
    TAIL = 65_536

    __slots__ = ("_pieces", "_tail_size", "head", "skipped", "skipped_lines")

    def __init__(self, text: str = "") -> None:
        self.head = ""
        self.skipped = 0
        self.skipped_lines = 0
        self._pieces: list[str] = []
        self._tail_size = 0
        if text:
            self.add(text)

    @property
    def tail(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def add(self, text: str) -> None:
        room = self.HEAD - len(self.head)
        if room > 0:
            self.head += text[:room]
            text = text[room:]
        if not text:
            return
        self._pieces.append(text)
        self._tail_size += len(text)
        if self._tail_size > 2 * self.TAIL:
            self._trim()

    def _trim(self) -> None:
        tail = self.tail
        dropped = len(tail) - self.TAIL
        self.skipped += dropped
        self.skipped_lines += tail.count("\n", 0, dropped)
        self._pieces = [tail[dropped:]]
        self._tail_size = self.TAIL

    def __bool__(self) -> bool:
        return bool(self.head)


@dataclass(slots=True)
class Live:
    """What is streaming into an entry. `item` is None where the entry has a box already (a call)."""

    item: Item | None = None
    texts: dict[tuple[Channel, int], Growing] = field(default_factory=dict)
    output: Output | None = None

    def add(self, channel: Channel, part: int, text: str) -> None:
        if channel is Channel.OUTPUT:
            if self.output is None:
                self.output = Output()
            self.output.add(text)
            return
        growing = self.texts.get((channel, part))
        if growing is None:
            growing = self.texts[channel, part] = Growing()
        growing.add(text)

    def text(self, channel: Channel, part: int = 0) -> str:
        growing = self.texts.get((channel, part))
        return growing.text if growing is not None else ""

    def parts(self, channel: Channel) -> dict[int, str]:
        """Part number -> text, in part order."""
        return {part: self.texts[of, part].text for of, part in sorted(self.texts) if of is channel}


class Entry:
    """One pane. Compared by identity.

    It is made of a recorded `box` (with the `followers` of a call: its messages and its return), or of
    an item that streams (`live`), or of a message that waits in the outbox (`waiting`), and keeps its
    identity when the one becomes the other. `order` sorts the entries of a document; it changes only when
    a live or waiting entry gets its box. `folded` None means as the kind of pane prefers.
    """

    __slots__ = ("__weakref__", "asked", "box", "folded", "followers", "live", "order", "waiting")

    def __init__(
        self,
        order: int,
        box: ChatBox | None = None,
        live: Live | None = None,
        waiting: Waiting | None = None,
    ) -> None:
        self.order = order
        self.box = box
        self.followers: Sequence[ChatBox] = ()
        self.live = live
        self.waiting = waiting
        self.folded: bool | None = None
        self.asked = False
        """Does Codex wait for a person's word before it goes on with it?"""

    @property
    def key(self) -> int | str:
        """Its name while it lives: the box id once it has one, before that the item's id or outbox key."""
        if self.box is not None:
            return self.box.id
        if self.live is not None and self.live.item is not None:
            return self.live.item.id
        return self.waiting.key if self.waiting is not None else ""

    @property
    def is_prompt(self) -> bool:
        """Is it what a person said?"""
        return self.box.box_type == USER if self.box is not None else self.waiting is not None

    def __repr__(self) -> str:
        return f"<Entry {self.key!r} order={self.order}>"
