"""A decision as a line of JSON or CSV, for other programs.

What was decided on is hostile text: JSON is written in ASCII, and no cell of the CSV begins with what a
spreadsheet takes for a formula, or holds a control that a terminal would carry out.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from core.agent.requests import Question, Reply, Request, load_answer, load_request
from core.rows import LedgerEntry

SECRET = "(secret)"
"""Stands for the answer to a question that asked for a secret."""

_COLUMNS = (
    "id",
    "time",
    "conversation",
    "kind",
    "decided_by",
    "answer",
    "outcomes",
    "hash",
    "intact",
    "content",
)
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Form(StrEnum):
    JSON_LINES = "jsonl"
    CSV = "csv"


def header(form: Form) -> str:
    """What stands before the lines, with its line end; "" for nothing."""
    return _csv_line(_COLUMNS) if form is Form.CSV else ""


def line_of(entry: LedgerEntry, form: Form) -> str:
    """The decision with all that became of it, with its line end."""
    if form is Form.CSV:
        return _csv_line(_cells(entry))
    return json.dumps(_fields(entry)) + "\n"


def request_of(entry: LedgerEntry) -> Request | None:
    """What was decided on; None where this version cannot read it."""
    return _request(entry.content)


def _request(content: str) -> Request | None:
    try:
        return load_request(content)
    except ValueError:
        return None


def intact(entry: LedgerEntry) -> bool | None:
    """Is what was decided on still what its hash was made of? None where nothing was shown to anyone."""
    if not entry.content_hash:
        return None
    if hashlib.sha256(entry.content.encode()).hexdigest() == entry.content_hash:
        return True
    # A version that knew more or fewer fields showed, and hashed, its own reading of the request.
    request = request_of(entry)
    return request is not None and (
        hashlib.sha256(request.model_dump_json().encode()).hexdigest() == entry.content_hash
    )


def shown_answer(entry: LedgerEntry) -> str:
    """The answer as JSON text, without what was given as a secret; "" for none."""
    return without_secrets(entry.content, entry.answer)


def without_secrets(content: str, answer: str) -> str:
    """An answer (JSON) without what a question (JSON) asked for as a secret. Others are returned as they are."""
    request = _request(content)
    if not isinstance(request, Question) or not any(part.secret for part in request.parts):
        return answer
    try:
        reply = load_answer(answer)
    except ValueError:
        return SECRET if answer else ""
    if not isinstance(reply, Reply):
        return answer
    secret = {part.id for part in request.parts if part.secret}
    masked = {key: (SECRET,) if key in secret else given for key, given in reply.answers.items()}
    return reply.model_copy(update={"answers": masked}).model_dump_json()


def _fields(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "time": iso(entry.at_ms),
        "conversation": entry.conversation_id,
        "kind": entry.kind,
        "decided_by": entry.decided_by,
        "answer": _parsed(shown_answer(entry)),
        "outcomes": [{"time": iso(one.at_ms), "outcome": one.outcome} for one in entry.outcomes],
        "hash": entry.content_hash or None,
        "intact": intact(entry),
        "content": _parsed(entry.content),
    }


def _cells(entry: LedgerEntry) -> tuple[str, ...]:
    whole = intact(entry)
    return (
        str(entry.id),
        iso(entry.at_ms),
        entry.conversation_id or "",
        entry.kind,
        entry.decided_by,
        shown_answer(entry),
        "; ".join(one.outcome for one in entry.outcomes),
        entry.content_hash,
        "" if whole is None else str(whole).lower(),
        entry.content,
    )


def _parsed(text: str) -> Any:
    """As JSON where it is some, else as it stands; None for nothing."""
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def iso(at_ms: int) -> str:
    """UTC, to the millisecond."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")


def _csv_line(cells: tuple[str, ...]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow([_harmless(cell) for cell in cells])
    return line.getvalue()


def _harmless(cell: str) -> str:
    text = _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", cell)
    return f"'{text}" if cell.lstrip(" ").startswith(_FORMULA) else text
