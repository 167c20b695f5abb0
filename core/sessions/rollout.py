"""Codex's rollout files, for what Codex itself refuses or does not list.

A rollout is JSON lines: `{"timestamp", "type", "payload", "ordinal"?}` (seen on 0.163). A `paginated` one has
an `item_completed` event for each item; an older one has the model's `response_item`s and a few events. Nothing
in a file is trusted: a line that is torn, broken, a duplicate or of an unknown type is counted and left out.
No bytes make these functions raise anything but OSError.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from pydantic_core import from_json

from core.sessions.disk import thread_of
from core.sessions.rollout_items import fields_of, string_of, texts_of_completed, texts_of_response
from core.sessions.rows import PAGE_OF_TEXTS, Text

LONGEST_LINE = 32 * 1024 * 1024
"""Bytes. A longer line is skipped without being held in memory."""

BATCH_CHARACTERS = 1024 * 1024
HEAD_BYTES = 1024 * 1024
"""How far into a file its header, its model and its first message are looked for."""

_CHUNK = 1024 * 1024
_KIND = re.compile(rb'"type"\s*:\s*"([a-z_]+)"(?:\s*,\s*"payload"\s*:\s*\{\s*"type"\s*:\s*"([a-z_]+)")?')
_SHOWN = frozenset({b"session_meta", b"response_item", b"event_msg", b"turn_context", b"compacted"})
_KNOWN = _SHOWN | {b"world_state", b"token_usage_record", b"ghost_snapshot", b"inter_agent_communication"}
_MESSAGES = frozenset({b"item_completed", b"user_message"})


@dataclass(frozen=True, slots=True)
class Head:
    """What a file says of its thread. `problem` says why it cannot be read; "" if it can.

    `begun`: it has a turn of its own. A fork has none at first, and Codex lists it with the first (seen on 0.163).
    """

    thread_id: str
    folder: str = ""
    branch: str = ""
    source: str = ""
    model: str = ""
    provider: str = ""
    created_at_ms: int = 0
    preview: str = ""
    parent_id: str | None = None
    forked_from_id: str | None = None
    paginated: bool = False
    begun: bool = True
    problem: str = ""


@dataclass(slots=True)
class Report:
    """What a reading came across. `torn`: the last line has no end, as of a writer that was killed."""

    lines: int = 0
    broken: int = 0
    unknown: int = 0
    duplicates: int = 0
    too_long: int = 0
    torn: bool = False

    @property
    def sentence(self) -> str:
        """What is wrong with the file, for a person; "" for nothing."""
        counted = (
            (self.broken, "broken"),
            (self.unknown, "of an unknown type"),
            (self.duplicates, "there twice"),
            (self.too_long, "too long"),
        )
        parts = [f"{count:,} lines are {what}" for count, what in counted if count]
        if self.torn:
            parts.append("the last line is torn")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts of a part of a file. `offset`: the byte that reading goes on from."""

    texts: tuple[Text, ...]
    offset: int


@dataclass(slots=True)
class _Reading:
    """One pass through a file."""

    paginated: bool
    report: Report
    ordinals: int = -1
    turn: str = ""
    texts: list[Text] = field(default_factory=list[Text])
    size: int = 0


def read_head(path: Path) -> Head:
    """Look at the beginning of a file. Blocks. Raises OSError."""
    fallback = thread_of(path)
    with path.open("rb") as file:
        begin = file.read(HEAD_BYTES)
    if not begin.strip(b"\0 \t\r\n"):
        return Head(fallback, problem="The file is empty." if not begin else "The file holds no text.")
    lines = begin.split(b"\n")
    meta: dict[str, object] = {}
    model = preview = ""
    numbered = readable = False
    for line in lines:
        entry = _parsed(line)
        payload = fields_of(entry.get("payload"))
        readable = readable or bool(payload)
        numbered = numbered or "ordinal" in entry
        if entry.get("type") == "session_meta" and not meta:
            meta = payload
        elif entry.get("type") == "turn_context":
            model = model or string_of(payload.get("model"))
        elif not preview:
            preview = _first_words(entry, payload)
        if meta and model and preview:
            break
    if not readable:
        return Head(fallback, problem="No line of the file can be read: its format is unknown.")
    begun = bool(model or preview) or len(begin) == HEAD_BYTES
    return replace(_head(meta, fallback, model, preview, numbered), begun=begun)


def read_texts(path: Path, offset: int = 0, report: Report | None = None) -> Generator[Batch]:
    """The texts of a file from a byte on (0, or the `offset` of a batch), in bounded pieces. Blocks.

    The last line counts only if it is whole. Raises OSError.
    """
    reading = _Reading(read_head(path).paginated, report or Report())
    with path.open("rb") as file:
        file.seek(offset)
        for line, end in _lines(file, offset, reading.report):
            _take(reading, line)
            offset = end
            if len(reading.texts) >= PAGE_OF_TEXTS or reading.size >= BATCH_CHARACTERS:
                yield Batch(tuple(reading.texts), offset)
                reading.texts, reading.size = [], 0
    yield Batch(tuple(reading.texts), offset)


def _lines(file: BinaryIO, offset: int, report: Report) -> Generator[tuple[bytes, int]]:
    """Whole lines with the byte after each. One that is too long is passed over."""
    rest = b""
    skipping = False
    while chunk := file.read(_CHUNK):
        *whole, tail = (rest + chunk).split(b"\n") if b"\n" in chunk else (rest + chunk,)
        for line in whole:
            offset += len(line) + 1
            if skipping:
                skipping = False
                report.too_long += 1
            elif line:
                yield line, offset
        rest = tail
        if len(rest) > LONGEST_LINE or skipping:
            skipping = True
            offset += len(rest)
            rest = b""
    if rest.strip(b"\0 \t\r"):
        report.torn = True


def _take(reading: _Reading, line: bytes) -> None:
    """Add what a line says."""
    report = reading.report
    report.lines += 1
    found = _KIND.search(line, 0, 400)
    if found is not None:
        kind, inner = found[1], found[2]
        if kind not in _KNOWN:
            report.unknown += 1
            return
        if kind not in _SHOWN or not _is_wanted(reading, kind, inner):
            return
    entry = _parsed(line)
    payload = fields_of(entry.get("payload"))
    if not payload:
        report.broken += 1
        return
    if not _is_next(reading, entry.get("ordinal")):
        report.duplicates += 1
        return
    at_ms = to_ms(entry.get("timestamp"))
    texts = _texts(reading, string_of(entry.get("type")), payload, at_ms)
    reading.texts.extend(texts)
    reading.size += sum(len(text.text) for text in texts)


def _is_wanted(reading: _Reading, kind: bytes, inner: bytes | None) -> bool:
    """Whether a line of this kind can hold text that is not in another one too."""
    if kind == b"event_msg":
        return inner is None or inner in _MESSAGES
    if kind == b"response_item":
        return not reading.paginated
    return kind == b"turn_context"


def _is_next(reading: _Reading, ordinal: object) -> bool:
    """Ordinals only grow: a line with an earlier one was written twice."""
    if not isinstance(ordinal, int):
        return True
    if ordinal <= reading.ordinals:
        return False
    reading.ordinals = ordinal
    return True


def _texts(reading: _Reading, kind: str, payload: dict[str, object], at_ms: int) -> tuple[Text, ...]:
    if kind == "turn_context":
        reading.turn = string_of(payload.get("turn_id")) or f"at-{at_ms}"
        return ()
    if kind == "response_item":
        return texts_of_response(payload, reading.turn, at_ms)
    if payload.get("type") == "item_completed":
        turn = string_of(payload.get("turn_id")) or reading.turn
        return texts_of_completed(fields_of(payload.get("item")), turn, at_ms)
    if payload.get("type") == "user_message" and not reading.paginated:
        content = [{"text": payload.get("message")}]
        said: dict[str, object] = {"type": "message", "role": "user", "content": content}
        return texts_of_response(said, reading.turn, at_ms)
    return ()


def _head(meta: dict[str, object], fallback: str, model: str, preview: str, numbered: bool) -> Head:
    source = meta.get("source")
    spawned = fields_of(fields_of(fields_of(source).get("subagent")).get("thread_spawn"))
    return Head(
        thread_id=string_of(meta.get("id")) or fallback,
        folder=string_of(meta.get("cwd")),
        branch=string_of(fields_of(meta.get("git")).get("branch")),
        source=source if isinstance(source, str) else next(iter(fields_of(source)), ""),
        model=model,
        provider=string_of(meta.get("model_provider")),
        created_at_ms=to_ms(meta.get("timestamp")),
        preview=preview,
        parent_id=string_of(spawned.get("parent_thread_id"))
        or string_of(meta.get("parent_thread_id"))
        or None,
        forked_from_id=string_of(meta.get("forked_from_id")) or None,
        paginated=meta.get("history_mode") == "paginated" if meta else numbered,
        problem="",
    )


def _first_words(entry: dict[str, Any], payload: dict[str, object]) -> str:
    """The beginning of the first message of a person, if this line is one."""
    reading = _Reading(paginated=False, report=Report())
    for text in _texts(reading, string_of(entry.get("type")), payload, 0):
        if text.kind == "user":
            return text.text[:200]
    return ""


def _parsed(line: bytes) -> dict[str, Any]:
    """The JSON object of a line; an empty one for anything else."""
    for attempt in (line, line.replace(b"\0", b"").decode("utf-8", "replace").encode()):
        try:
            value = from_json(attempt)
        except ValueError:
            continue
        return fields_of(value)
    return {}


def to_ms(timestamp: object) -> int:
    """Unix milliseconds of an ISO time; 0 for anything else."""
    try:
        return int(datetime.fromisoformat(string_of(timestamp)).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return 0
