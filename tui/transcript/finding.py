"""Finding text in a conversation: which entries show it, how often, and which hit comes next.

Pure. Entries are looked through a few at a time, from where the reader is: first what is below, then what
is above, then older pages as they come. Only an entry that may show every word that is looked for is drawn,
whole and unfolded, and its lines are what counts: what a person reads, not what was written to have it so.
Of output that is too long to be shown, what can be shown is searched.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import NamedTuple

from tui.transcript.changes import Changes
from tui.transcript.document import TAIL_ORDER, Document
from tui.transcript.entries import Entry
from tui.transcript.finding_raw import Words

MAX_NEEDLE = 200
"""Characters of what is looked for; more are passed over."""

AGAIN_SECONDS = 0.5
"""What changes while it is searched is looked at again so often."""

AGAIN_SHARE = 20
"""And no sooner than so many times after what that took."""

Shown = Callable[[Entry], Sequence[str]]
"""The logical lines of an entry, unfolded."""


class Hit(NamedTuple):
    """The hit `number` (from 0) of an entry."""

    entry: Entry
    number: int


class Finder:
    """One search in one document. `near`: the order of the entry that the reader looks at."""

    def __init__(self, document: Document, needle: str, near: int, shown: Shown) -> None:
        self.document = document
        self.needle = needle[:MAX_NEEDLE]
        self.current: Hit | None = None
        self.whole = False
        """Is there nothing before the oldest box that is here, whatever its number?"""
        self._pattern = re.compile(re.escape(self.needle), re.IGNORECASE)
        self._words = Words(self.needle)
        self._shown = shown
        self._near = max(document.first_order, min(near, self._end))
        self._below = self._near
        self._above = self._near - 1
        self._counts: dict[Entry, int] = {}
        self._fresh: set[Entry] = set()
        self._again: dict[Entry, None] = dict.fromkeys(document.tail)
        self._again_at = 0.0
        self._spans_of: str | None = None
        self._line_spans: list[tuple[int, int]] = []
        """Those of the line that was asked for last: a long one is asked for by each of its rows."""

    @property
    def count(self) -> int:
        """Hits found so far."""
        return sum(self._counts.values())

    @property
    def number(self) -> int:
        """Which of the hits the current one is, from 1; 0 where there is none."""
        if self.current is None:
            return 0
        order = self.current.entry.order
        before = sum(count for entry, count in self._counts.items() if entry.order < order)
        return before + self.current.number + 1

    @property
    def searched(self) -> float:
        """How much of the conversation was looked through, 0 to 1."""
        document = self.document
        if not document.last_box_id:
            return 1.0
        above = self._above - document.first_order
        left = document.first_box_id - 1
        if 0 <= above < document.settled and (box := document[above].box) is not None:
            left = box.id
        return 1 - left / document.last_box_id

    @property
    def complete(self) -> bool:
        """Was the whole conversation looked through?"""
        return self._all_here and not self._older

    @property
    def wants_older(self) -> bool:
        """Is all that is here searched, and are there older boxes?"""
        return self._all_here and self._older

    @property
    def _older(self) -> bool:
        return not self.whole and self.document.first_box_id > 1

    @property
    def _all_here(self) -> bool:
        return self._above < self.document.first_order and self._below >= self._end

    def follow(self, changes: Changes) -> None:
        """The document changed: what is another now is looked at again."""
        self._again.update(dict.fromkeys(changes.redrawn))
        if changes.tail:
            tail = set(self.document.tail)
            self._again.update(dict.fromkeys(tail))
            for entry in [found for found in self._counts if found.order >= TAIL_ORDER]:
                if entry not in tail:
                    del self._counts[entry]
        if self.current is not None and self.current.entry not in self._counts:
            self.current = None

    def search(self, seconds: float) -> float | None:
        """Look on for about so long. In how many seconds there is more to look at here; None for nothing."""
        begin = now = perf_counter()
        if self._again and now >= self._again_at:
            while self._again and now < begin + seconds:
                self._look_at(self._again.popitem()[0])
                now = perf_counter()
            self._again_at = now + max(AGAIN_SECONDS, AGAIN_SHARE * (now - begin))
        for entry in self._ahead():
            self._look_at(entry)
            if (now := perf_counter()) > begin + seconds:
                break
        if not self._all_here:
            return 0.0
        return max(0.0, self._again_at - now) if self._again else None

    def take_fresh(self) -> set[Entry]:
        """The entries whose hits are others since the last call."""
        fresh, self._fresh = self._fresh, set()
        return fresh

    def step(self, step: int) -> Hit | None:
        """Make the next (1) or the previous (-1) hit the current one; from the last on to the first."""
        entries = self._entries()
        if not entries:
            self.current = None
        elif self.current is None:
            self.current = self._first(entries[0] if step > 0 else entries[-1], step)
        else:
            entry, number = self.current
            number += step
            if not 0 <= number < self._counts.get(entry, 0):
                index = bisect_left(entries, entry.order, key=_order)
                here = index < len(entries) and entries[index] is entry
                index += step if step < 0 or here else 0
                if index < 0 and not self.complete:
                    return self.current
                self.current = self._first(entries[index % len(entries)], step)
            else:
                self.current = Hit(entry, number)
        return self.current

    def spans(self, entry: Entry, line: str) -> list[tuple[int, int]]:
        """Where a line of an entry shows it, as characters from and to."""
        if entry not in self._counts:
            return []
        if line is not self._spans_of:
            self._spans_of = line
            self._line_spans = [match.span() for match in self._pattern.finditer(line)]
        return self._line_spans

    def position(self, hit: Hit, lines: Sequence[str]) -> tuple[int, int] | None:
        """The logical line and the character where a hit begins in an entry's lines; the last where it is gone."""
        found = None
        number = 0
        for index, line in enumerate(lines):
            for match in self._pattern.finditer(line):
                found = (index, match.start())
                if number == hit.number:
                    return found
                number += 1
        return found

    @property
    def _end(self) -> int:
        return self.document.first_order + self.document.settled

    def _ahead(self) -> Iterator[Entry]:
        """The entries with a box that were not looked at, in the order in which they are worth it."""
        document = self.document
        while self._below < self._end:
            self._below += 1
            yield document[self._below - 1 - document.first_order]
        while self._above >= document.first_order:
            self._above -= 1
            yield document[self._above + 1 - document.first_order]

    def _look_at(self, entry: Entry) -> None:
        count = 0
        if self._words.may_be_in(entry):
            count = sum(len(self._pattern.findall(line)) for line in self._shown(entry))
        if count or entry in self._counts:
            self._fresh.add(entry)
        if not count:
            self._counts.pop(entry, None)
            return
        self._counts[entry] = count
        if self.current is None:
            self.current = self._first(entry, 1 if entry.order >= self._near else -1)

    def _entries(self) -> list[Entry]:
        return sorted(self._counts, key=_order)

    def _first(self, entry: Entry, step: int) -> Hit:
        return Hit(entry, 0 if step > 0 else self._counts[entry] - 1)


def _order(entry: Entry) -> int:
    return entry.order
