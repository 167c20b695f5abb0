"""JSON Lines: the exact records, a line each. Pure; `parsing` reads them back.

The first line says what this is and in which version; each other line is one part; the last counts the lines
between and has their SHA-256, so that a file that was cut or changed is known as such. Characters that could
command a terminal or turn text around are written as JSON escapes.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from core.export.parts import Begin, Decided, Head, Part, Recorded
from core.ledger_lines import shown_answer
from core.rows import LedgerEntry, OutcomeRow
from core.thread.boxes import BoxId, ChatBox
from core.thread.records import BoxRecord, EventRecord, Record

KIND: Final = "conversation export"
VERSION: Final = 1

_TO_ESCAPE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

LATEST_MS: Final = 253_402_300_800_000
"""The end of year 9999: no time is after it."""

_Time = Annotated[int, Field(ge=0, lt=LATEST_MS)]
_Number = Annotated[int, Field(ge=0, lt=2**53)]


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class HeadLine(_Line):
    quarterdeck: str
    version: int
    exported_at_ms: _Time = 0
    by: str = ""
    masked: bool = False


class _BeginLine(_Line):
    line: Literal["conversation"] = "conversation"
    id: Annotated[str, Field(min_length=1, max_length=200)]
    title: str
    folder: Annotated[str, Field(min_length=1, max_length=10_000)]
    created_at_ms: _Time
    updated_at_ms: _Time
    thread_id: str | None = None
    parent_id: str | None = None
    missing: str = ""

    def part(self) -> Begin:
        return Begin(**self.model_dump(exclude={"line"}))


class _BoxLine(_Line):
    line: Literal["box"] = "box"
    at_ms: _Time
    id: _Number
    box_type: str
    contents: str
    hidden_type: str
    hidden_contents: str

    def part(self) -> Recorded:
        box = ChatBox(BoxId(self.id), self.box_type, self.contents, self.hidden_type, self.hidden_contents)
        return Recorded(self.at_ms, BoxRecord(box))


class _EventLine(_Line):
    line: Literal["event"] = "event"
    at_ms: _Time
    after_box_id: _Number
    event_index: _Number
    kind: str
    data: str

    def part(self) -> Recorded:
        return Recorded(self.at_ms, EventRecord(self.after_box_id, self.event_index, self.kind, self.data))


class _OutcomeLine(_Line):
    at_ms: _Time
    outcome: str


class _DecisionLine(_Line):
    """`id` counts only within the file's own ledger: another ledger gives another."""

    line: Literal["decision"] = "decision"
    id: _Number
    at_ms: _Time
    conversation_id: str | None
    decided_by: str
    kind: str
    content: str
    content_hash: str
    answer: str
    outcomes: tuple[_OutcomeLine, ...] = Field(default=(), strict=False)

    def part(self) -> Decided:
        outcomes = tuple(OutcomeRow(one.at_ms, one.outcome) for one in self.outcomes)
        return Decided(LedgerEntry(**self.model_dump(exclude={"line", "outcomes"}), outcomes=outcomes))


class EndLine(_Line):
    line: Literal["end"] = "end"
    lines: _Number
    sha256: str


AnyLine = _BeginLine | _BoxLine | _EventLine | _DecisionLine | EndLine
LINE: TypeAdapter[AnyLine] = TypeAdapter(Annotated[AnyLine, Field(discriminator="line")])


class JsonLines:
    """Writes the format."""

    def __init__(self) -> None:
        self._lines = 0
        self._hash = hashlib.sha256()

    def begin(self, head: Head) -> str:
        line = HeadLine(
            quarterdeck=KIND, version=VERSION, exported_at_ms=head.at_ms, by=head.by, masked=head.masked
        )
        return _written(line)

    def part(self, part: Part) -> str:
        text = _written(_line_of(part))
        self._lines += 1
        self._hash.update(text.encode())
        return text

    def end(self) -> str:
        return _written(EndLine(lines=self._lines, sha256=self._hash.hexdigest()))


def _line_of(part: Part) -> AnyLine:
    match part:
        case Begin():
            return _BeginLine(
                id=part.id,
                title=part.title,
                folder=part.folder,
                created_at_ms=part.created_at_ms,
                updated_at_ms=part.updated_at_ms,
                thread_id=part.thread_id,
                parent_id=part.parent_id,
                missing=part.missing,
            )
        case Recorded():
            return _recorded_line(part.at_ms, part.record)
        case Decided(entry):
            return _DecisionLine(
                id=entry.id,
                at_ms=entry.at_ms,
                conversation_id=entry.conversation_id,
                decided_by=entry.decided_by,
                kind=entry.kind,
                content=entry.content,
                content_hash=entry.content_hash,
                answer=shown_answer(entry),
                outcomes=tuple(_OutcomeLine(at_ms=one.at_ms, outcome=one.outcome) for one in entry.outcomes),
            )


def _recorded_line(at_ms: int, record: Record) -> _BoxLine | _EventLine:
    if isinstance(record, EventRecord):
        return _EventLine(
            at_ms=at_ms,
            after_box_id=record.after_box_id,
            event_index=record.event_index,
            kind=record.kind,
            data=record.data,
        )
    box = record.box
    return _BoxLine(
        at_ms=at_ms,
        id=box.id,
        box_type=box.box_type,
        contents=box.contents,
        hidden_type=box.hidden_type,
        hidden_contents=box.hidden_contents,
    )


def _written(line: BaseModel) -> str:
    text = json.dumps(line.model_dump(), ensure_ascii=False, separators=(",", ":"))
    return _TO_ESCAPE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"
