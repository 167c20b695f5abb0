"""An export in JSON Lines, read back: whole and right, or refused with the line that is wrong. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import ValidationError

from core.agent.items import load_item
from core.errors import InvalidRequest, InvalidState
from core.export.lines import KIND, LINE, VERSION, EndLine, HeadLine
from core.export.parts import Begin, Decided, Part, Recorded
from core.thread.boxes import CallMeta, Hidden, ResultMeta, hidden_of
from core.thread.fold import apply
from core.thread.records import BoxRecord, Record
from core.thread.thread import Thread

_REASON = 300


@dataclass(frozen=True, slots=True)
class TakenConversation:
    """One conversation of the file, with its log and its part of the ledger."""

    begin: Begin
    records: tuple[Recorded, ...]
    decisions: tuple[Decided, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """A whole export. `digest` is the same for the same contents, whenever they were exported."""

    digest: str
    masked: bool
    conversations: tuple[TakenConversation, ...]


def parse(lines: Iterable[bytes], name: str) -> Taken:
    """Read an export; `name` is the file's, for the errors. Raises InvalidRequest with the line's number."""
    return _Parser(name).parse(lines)


class _Parser:
    def __init__(self, name: str) -> None:
        self._name = name
        self._number = 0
        self._count = 0
        self._hash = hashlib.sha256()
        self._found: list[TakenConversation] = []
        self._ids: set[str] = set()
        self._open: _Open | None = None

    def parse(self, lines: Iterable[bytes]) -> Taken:
        numbered = self._numbered(lines)
        head = self._head(next(numbered, b""))
        end: EndLine | None = None
        for line in numbered:
            if end is not None:
                raise self._wrong("something stands behind its last line")
            end = self._line(line)
        if end is None:
            raise self._wrong("its last line is missing: the file was cut off")
        self._close()
        if not self._found:
            raise self._wrong("it holds no conversation")
        return Taken(end.sha256, head.masked, tuple(self._found))

    def _numbered(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        for line in lines:
            self._number += 1
            if not line.endswith(b"\n"):
                raise self._wrong("the line is cut off")
            yield line

    def _head(self, line: bytes) -> HeadLine:
        try:
            head = HeadLine.model_validate_json(line)
        except ValidationError:
            raise self._wrong("it is no export of Quarterdeck in JSON Lines") from None
        if head.quarterdeck != KIND:
            raise self._wrong(f"it is a {head.quarterdeck!r}, no {KIND}")
        if head.version != VERSION:
            raise self._wrong(f"its version is {head.version}; this Quarterdeck reads version {VERSION}")
        return head

    def _line(self, line: bytes) -> EndLine | None:
        try:
            parsed = LINE.validate_json(line)
        except ValidationError as error:
            raise self._wrong(_reason(error)) from None
        if isinstance(parsed, EndLine):
            self._check_end(parsed)
            return parsed
        self._count += 1
        self._hash.update(line)
        self._take(parsed.part())
        return None

    def _check_end(self, end: EndLine) -> None:
        if end.lines != self._count:
            raise self._wrong(f"{end.lines} lines were written, {self._count} are there")
        if end.sha256 != self._hash.hexdigest():
            raise self._wrong("the file was changed since it was written")

    def _take(self, part: Part) -> None:
        if isinstance(part, Begin):
            self._close()
            self._begin(part)
        elif self._open is None:
            raise self._wrong("it belongs to no conversation")
        elif isinstance(part, Decided):
            self._decision(self._open, part)
        else:
            self._record(self._open, part)

    def _begin(self, begin: Begin) -> None:
        if begin.id in self._ids:
            raise self._wrong("this conversation stands in it already")
        if begin.parent_id is None and self._ids:
            raise self._wrong("a second conversation that is no sub-agent")
        if begin.parent_id is not None and begin.parent_id not in self._ids:
            raise self._wrong("the conversation that it is a sub-agent of does not stand before it")
        self._ids.add(begin.id)
        self._open = _Open(begin)

    def _record(self, conversation: _Open, recorded: Recorded) -> None:
        record: Record = recorded.record
        try:
            if isinstance(record, BoxRecord):
                _read_item(hidden_of(record.box))
            apply(conversation.thread, record)
        except InvalidState as error:
            raise self._wrong(f"{error.what}: {error.why}"[:_REASON]) from error
        except ValidationError as error:
            raise self._wrong(f"an item: {_reason(error)}"[:_REASON]) from error
        conversation.records.append(recorded)

    def _decision(self, conversation: _Open, decided: Decided) -> None:
        for what, text in (
            ("what was decided on", decided.entry.content),
            ("the answer", decided.entry.answer),
        ):
            try:
                json.loads(text or "null")
            except ValueError:
                raise self._wrong(f"{what} is no JSON") from None
        conversation.decisions.append(decided)

    def _close(self) -> None:
        if self._open is not None:
            done, self._open = self._open, None
            self._found.append(TakenConversation(done.begin, tuple(done.records), tuple(done.decisions)))

    def _wrong(self, why: str) -> InvalidRequest:
        return InvalidRequest(
            f"{self._name} cannot be imported",
            why=f"line {max(self._number, 1)}: {why}",
            todo="Nothing was taken from it. Export the conversation again, with --format jsonl.",
        )


class _Open:
    """The conversation whose lines are being read."""

    def __init__(self, begin: Begin) -> None:
        self.begin = begin
        self.thread = Thread()
        self.records: list[Recorded] = []
        self.decisions: list[Decided] = []


def _read_item(hidden: Hidden | None) -> None:
    """Have the item read that a call or its end is of. Raises ValidationError."""
    match hidden:
        case CallMeta(item_json=text) if text:
            load_item(text)
        case ResultMeta(metadata_type="item", metadata_contents=text):
            load_item(text)
        case _:
            pass


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(one) for one in first["loc"])
    return f"{where}: {first['msg']}"[:_REASON] if where else first["msg"][:_REASON]
