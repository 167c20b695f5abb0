"""A ledger in memory, with decisions of every kind. Only words are looked for in it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.access.ledger import EVERYTHING, Decided, Fate, LedgerFilter
from core.agent.requests import (
    Choice,
    Decide,
    Elicited,
    Grant,
    Reply,
    Request,
    dump_answer,
    dump_request,
)
from core.decided import Exported
from core.errors import NotFound, QuarterdeckError
from core.rows import LedgerCount, LedgerEntry, LedgerSummary, OutcomeRow
from tests.tui import examples

AT = 1_767_000_000_000
ACCEPT = Decide(choice=Choice(verb="accept", label="Accept", raw='"accept"'))
DECLINE = Decide(choice=Choice(verb="decline", label="Decline", raw='"decline"'))


def entry(
    number: int,
    request: Request,
    answer: str,
    by: str = "you",
    outcomes: Sequence[str] = (),
    conversation: str | None = "c1",
) -> LedgerEntry:
    content = dump_request(request)
    hashed = hashlib.sha256(content.encode()).hexdigest() if by != "nobody" else ""
    at = AT + number * 61_000
    rows = tuple(OutcomeRow(at + 1000 * place, one) for place, one in enumerate(outcomes))
    return LedgerEntry(number, at, conversation, by, request.kind, content, hashed, answer, rows)


def some() -> list[LedgerEntry]:
    """One of each kind, the newest last."""
    command = examples.COMMAND
    other = command.model_copy(update={"command": "git log --oneline -5"})
    return [
        entry(1, examples.PERMISSIONS, dump_answer(Grant(rights=examples.PERMISSIONS.rights[:1])), "you"),
        entry(2, examples.QUESTION, dump_answer(Reply(answers={})), "you", ("sent", "delivered")),
        entry(3, examples.FORM, dump_answer(Elicited(action="decline")), "you", ("sent", "delivered")),
        entry(4, examples.FILES, dump_answer(ACCEPT), "you", ("sent", "applied", "delivered")),
        entry(5, other, dump_answer(ACCEPT), "rule 3: allow git log …", ("sent", "exit 0", "delivered")),
        entry(6, command, dump_answer(DECLINE), "profile observer", ("sent", "delivered", "not run"), None),
        entry(7, other, "", "nobody", ("died undecided",)),
        entry(8, command, dump_answer(ACCEPT), "you", ("sent", "delivered", "exit 2")),
    ]


class FakeLedger:
    def __init__(self, entries: Sequence[LedgerEntry] = ()) -> None:
        self.entries = list(entries)
        self.boxes: dict[int, int] = {}
        self.exported: list[tuple[Path, LedgerFilter]] = []
        self.fails: QuarterdeckError | None = None

    def _found(self, where: LedgerFilter) -> list[LedgerEntry]:
        if self.fails is not None:
            raise self.fails
        words = where.words.split()
        return [one for one in self.entries[::-1] if all(word in one.content for word in words)]

    async def count(self, where: LedgerFilter = EVERYTHING) -> LedgerCount:
        found = self._found(where)
        return LedgerCount(len(found), max((one.id for one in found), default=0))

    async def summaries(
        self, where: LedgerFilter, newest: int, offset: int, limit: int = 200
    ) -> tuple[LedgerSummary, ...]:
        found = [one for one in self._found(where) if one.id <= newest]
        return tuple(_summary(one) for one in found[offset : offset + limit])

    async def entry(self, decision_id: int) -> LedgerEntry:
        try:
            return next(one for one in self.entries if one.id == decision_id)
        except StopIteration:
            raise NotFound("There is no such decision") from None

    async def box_of(self, entry: LedgerEntry) -> int | None:
        return self.boxes.get(entry.id)

    async def export(self, path: Path, where: LedgerFilter = EVERYTHING) -> Exported:
        if self.fails is not None:
            raise self.fails
        self.exported.append((path, where))
        return Exported(path, len(self._found(where)))

    def changed(self, number: int, **changes: str) -> None:
        """Something of an entry is not as it was recorded."""
        place = next(place for place, one in enumerate(self.entries) if one.id == number)
        self.entries[place] = replace(self.entries[place], **changes)  # type: ignore[arg-type]


def _summary(one: LedgerEntry) -> LedgerSummary:
    told = {outcome.outcome for outcome in one.outcomes}
    fate = Fate.OPEN
    for found, words in (
        (Fate.DELIVERED, {"delivered"}),
        (Fate.DIED, {"died undecided"}),
        (Fate.FAILED, {"exit 2"}),
        (Fate.WORKED, {"exit 0", "applied"}),
    ):
        fate = found if told & words else fate
    verb = Decided.UNDECIDED if not one.answer else Decided.ANSWERED
    verb = Decided.ACCEPTED if "accept" in one.answer or "rights" in one.answer else verb
    verb = Decided.DECLINED if "decline" in one.answer else verb
    command = one.content.partition('"command":"')[2].partition('"')[0]
    return LedgerSummary(
        one.id, one.at_ms, one.conversation_id, one.decided_by, one.kind, verb, fate, command, one.outcomes
    )
