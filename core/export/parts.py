"""What an export is made of, in this order, whatever format it is written in. Pure.

A `Head`, then for each conversation a `Begin`, its records and its decisions; the first conversation is the
one that was asked for, the others are its sub-agents, each behind the one that called it. Times are Unix
milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from core.masking import mask, mask_json
from core.rows import LedgerEntry, OutcomeRow
from core.thread.boxes import ChatBox
from core.thread.records import BoxRecord, Record


class Format(StrEnum):
    """The formats; the value is also the ending of a file's name."""

    MARKDOWN = "md"
    HTML = "html"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True)
class Head:
    """`by` is the version of Quarterdeck that writes; `masked` whether secrets are covered."""

    at_ms: int
    by: str
    masked: bool


@dataclass(frozen=True, slots=True)
class Begin:
    """A conversation begins. `parent_id` is the id of the conversation that called it; None for the first.

    `missing` says what of it could not be had; "" where it is whole. `updated_at_ms` 0: not known.
    """

    id: str
    title: str
    folder: str
    created_at_ms: int
    updated_at_ms: int
    thread_id: str | None = None
    parent_id: str | None = None
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A record and when it was recorded; `at_ms` 0: not known."""

    at_ms: int
    record: Record


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of the ledger with its outcomes."""

    entry: LedgerEntry


Part = Begin | Recorded | Decided


class Writer(Protocol):
    """Makes text of the parts, piece by piece. One writer writes one export."""

    def begin(self, head: Head) -> str: ...

    def part(self, part: Part) -> str: ...

    def end(self) -> str: ...


def masked(part: Part) -> Part:
    """The part with its secrets covered."""
    match part:
        case Begin():
            return replace(part, title=mask(part.title))
        case Recorded():
            return replace(part, record=_masked_record(part.record))
        case Decided(entry):
            outcomes = tuple(OutcomeRow(one.at_ms, mask(one.outcome)) for one in entry.outcomes)
            return Decided(
                replace(
                    entry, content=mask_json(entry.content), answer=mask_json(entry.answer), outcomes=outcomes
                )
            )


def _masked_record(record: Record) -> Record:
    if isinstance(record, BoxRecord):
        box = record.box
        return BoxRecord(
            ChatBox(
                box.id, box.box_type, mask_json(box.contents), box.hidden_type, mask_json(box.hidden_contents)
            )
        )
    return replace(record, data=mask_json(record.data))
