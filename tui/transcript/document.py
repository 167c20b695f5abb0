"""The document: one conversation as the screen shows it, folded from boxes and live items.

Pure. Entries come in this order: those of boxes by box id, then the items that stream and have no box
yet, then the messages that wait in the outbox. A live item or waiting message whose box arrives becomes
that box's entry; however boxes are cut into pages, and whatever streamed before, the same boxes give
the same entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.agent.events import Channel
from core.agent.items import Item
from core.thread.boxes import TOOL_CALL, TOOL_RETURN, USER, ChatBox
from tui.transcript import hidden
from tui.transcript.changes import Changes
from tui.transcript.entries import Entry, Live, Waiting
from tui.transcript.settled import Settled, follows

TAIL_ORDER = 1 << 41
"""Orders from here on belong to live and waiting entries."""

LOOK_BACK = 256
"""How many of the newest entries are searched for a message's key or a running call's item."""


class Document:
    """The entries of one conversation. One view at a time takes its changes."""

    def __init__(self) -> None:
        self._settled = Settled()
        self._live: dict[str, Entry] = {}
        self._outbox: dict[str, Entry] = {}
        self._marked: dict[str, Entry] = {}
        self._calls: dict[str, Entry] = {}
        self._asked: frozenset[str] = frozenset()
        self._tail: list[Entry] = []
        self._next_tail_order = TAIL_ORDER
        self._first_box = 0
        self._last_box = 0
        self._changes = Changes()
        self.place: object = None
        """What the view that shows this document remembers of it; the view's own business."""

    def __len__(self) -> int:
        return len(self._settled) + len(self._tail)

    def __getitem__(self, index: int) -> Entry:
        settled = self._settled
        return settled[index] if index < len(settled) else self._tail[index - len(settled)]

    @property
    def settled(self) -> int:
        """How many entries have a box; they come first."""
        return len(self._settled)

    @property
    def first_box_id(self) -> int:
        """The oldest box seen, 0 for none: the page before it is the next to prepend."""
        return self._first_box

    @property
    def last_box_id(self) -> int:
        """The newest box seen, 0 for none."""
        return self._last_box

    def entry_of_box(self, box_id: int) -> Entry | None:
        """The entry that shows a box, or the one before it; the first for older ones. None in an empty document."""
        index = self._settled.index_of_box(box_id)
        return None if index is None else self._settled[index]

    def entries(self) -> tuple[Entry, ...]:
        """All of them, in order."""
        return tuple(self[index] for index in range(len(self)))

    def index(self, entry: Entry) -> int:
        """Where an entry is. Raises ValueError for one that is gone."""
        if entry.order < TAIL_ORDER:
            return self._settled.index(entry.order)
        return len(self._settled) + self._tail.index(entry)

    @property
    def first_order(self) -> int:
        """The order of the first entry that has a box; the others count on from it."""
        return self._settled.order(0)

    @property
    def tail(self) -> tuple[Entry, ...]:
        """The entries that stream or wait; they come last."""
        return tuple(self._tail)

    def take_changes(self) -> Changes:
        """What happened since the last call."""
        taken, self._changes = self._changes, Changes()
        return taken

    def add_boxes(self, boxes: Iterable[ChatBox]) -> None:
        """Newer boxes, in id order. Those seen already are passed over."""
        added = [box for box in boxes if box.id > self._last_box]
        if not added:
            return
        first = self._last_box == 0 and not self._tail
        self._first_box = self._first_box or added[0].id
        self._last_box = added[-1].id
        before = len(self._settled)
        if first:
            self._settled.load(added)
        else:
            for box in added:
                self._add(box)
        self._changes.appended += len(self._settled) - before
        self._mark_asked()

    def prepend_boxes(self, boxes: Sequence[ChatBox]) -> None:
        """The page before the oldest box, in id order. Boxes seen already are passed over."""
        older = [box for box in boxes if not self._first_box or box.id < self._first_box]
        if not older:
            return
        self._first_box = older[0].id
        self._last_box = self._last_box or older[-1].id
        self._changes.prepended += self._settled.prepend(older)

    def item_started(self, item: Item) -> None:
        """An item streams, from its beginning: told again, what came of it so far is forgotten."""
        entry = self._live.get(item.id) or self._call(item.id)
        if entry is not None:
            entry.live = Live(item if entry.box is None else None)
            self._redraw(entry)
            return
        if any(_records(entry, item.id) for entry in self._newest()):
            return
        entry = Entry(self._next_tail_order, live=Live(item))
        self._next_tail_order += 1
        self._live[item.id] = entry
        self._lay_tail()
        self._mark_asked()

    def delta(self, item_id: str, channel: Channel, text: str, part: int = 0) -> None:
        """More text of a live item or of a running call; of anything else it is dropped."""
        entry = self._live.get(item_id) or self._call(item_id)
        if entry is None:
            return
        if entry.live is None:
            entry.live = Live()
        entry.live.add(channel, part, text)
        self._redraw(entry)

    def drop_live(self, item_id: str) -> None:
        """A live item that will get no box."""
        if self._live.pop(item_id, None) is not None:
            self._lay_tail()

    def set_outbox(self, messages: Sequence[tuple[str, str, str]]) -> None:
        """The messages on their way to Codex as (key, text, state): all of them, in order.

        State is accepted, sent or seen. One whose box is on the screen is marked there; the others
        stand at the end.
        """
        waiting = [Waiting(*message) for message in messages]
        before = self._outbox
        self._outbox = {}
        marked: dict[str, Entry] = {}
        for message in waiting:
            entry = self._marked.get(message.key) or self._user_entry(message.key)
            if entry is not None:
                marked[message.key] = entry
            else:
                entry = before.get(message.key)
                if entry is None:
                    entry = Entry(self._next_tail_order, waiting=message)
                    self._next_tail_order += 1
                self._outbox[message.key] = entry
            self._mark(entry, message)
        for key, entry in self._marked.items():
            if key not in marked:
                self._mark(entry, None)
        self._marked = marked
        self._lay_tail()

    def set_asked(self, item_ids: frozenset[str]) -> None:
        """The items with which Codex goes on when a person has decided: all of them."""
        over, self._asked = self._asked - item_ids, item_ids
        for item_id in over:
            self._ask(item_id, asked=False)
        self._mark_asked()

    def fold(self, entry: Entry, folded: bool) -> None:
        """Show little or all of an entry."""
        if entry.folded is not folded:
            entry.folded = folded
            self._redraw(entry)

    def redraw(self, entry: Entry) -> None:
        """An entry looks different, by something that the document does not know."""
        self._redraw(entry)

    def _redraw(self, entry: Entry) -> None:
        self._changes.redrawn.add(entry)

    def _mark(self, entry: Entry, waiting: Waiting | None) -> None:
        if entry.waiting != waiting:
            entry.waiting = waiting
            self._redraw(entry)

    def _mark_asked(self) -> None:
        """Also those that came after it was known that they are asked about."""
        for item_id in self._asked:
            self._ask(item_id, asked=True)

    def _ask(self, item_id: str, *, asked: bool) -> None:
        entry = self._live.get(item_id) or self._call(item_id)
        if entry is not None and entry.asked is not asked:
            entry.asked = asked
            self._redraw(entry)

    def _move(self, entry: Entry, order: int) -> None:
        if entry.order != order:
            self._changes.moved.setdefault(entry, entry.order)
            entry.order = order

    def _lay_tail(self) -> None:
        """Live entries before waiting ones, each in the order they came."""
        tail = [*self._live.values(), *self._outbox.values()]
        if tail == self._tail:
            return
        orders = sorted(entry.order for entry in tail)
        for entry, order in zip(tail, orders, strict=True):
            self._move(entry, order)
        self._tail = tail
        self._changes.tail = True

    def _add(self, box: ChatBox) -> None:
        if follows(box):
            entry = self._settled.follow(box)
            if entry is not None:
                if box.box_type == TOOL_RETURN:
                    entry.live = None
                self._redraw(entry)
            return
        order = self._settled.order(len(self._settled))
        entry = self._claimed(box, order) if self._tail else None
        self._settled.append(entry if entry is not None else Entry(order, box))

    def _claimed(self, box: ChatBox, order: int) -> Entry | None:
        """The live or waiting entry that this box completes, taken out of the tail."""
        if box.box_type == USER:
            key = hidden.input_key(box) if self._outbox else None
            entry = self._outbox.pop(key, None) if key is not None else None
            if key is not None and entry is not None:
                self._marked[key] = entry
        else:
            item = hidden.item_id(box) if self._live else None
            entry = self._live.pop(item, None) if item is not None else None
            if item is not None and entry is not None:
                self._keep_running(item, entry, box)
        if entry is None:
            return None
        self._move(entry, order)
        entry.box = box
        self._redraw(entry)
        self._lay_tail()
        return entry

    def _keep_running(self, item: str, entry: Entry, box: ChatBox) -> None:
        """A call goes on streaming its output after its box is there; anything else is complete."""
        if box.box_type == TOOL_CALL and entry.live is not None:
            entry.live.item = None
            self._calls[item] = entry
        else:
            entry.live = None

    def _call(self, item_id: str) -> Entry | None:
        """The running call that records an item."""
        entry = self._calls.get(item_id)
        if entry is None:
            entry = next((found for found in self._newest() if _records(found, item_id)), None)
            if entry is None or entry.box is None or entry.box.box_type != TOOL_CALL:
                return None
            self._calls[item_id] = entry
        if any(box.box_type == TOOL_RETURN for box in entry.followers):
            del self._calls[item_id]
            return None
        return entry

    def _user_entry(self, key: str) -> Entry | None:
        for entry in self._newest():
            box = entry.box
            if box is not None and box.box_type == USER and hidden.input_key(box) == key:
                return entry
        return None

    def _newest(self) -> Iterator[Entry]:
        return self._settled.newest(LOOK_BACK)


def _records(entry: Entry, item_id: str) -> bool:
    return entry.box is not None and hidden.item_id(entry.box) == item_id
