"""The engine's ledger: every decision, looked through and written out."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from core.access.ledger import EVERYTHING, LedgerFilter
from core.access.policy import Verdict
from core.access.rules import Decision
from core.agent.requests import RequestKey, ToolRequest, dump_request
from core.errors import Conflict, InvalidRequest, QuarterdeckError
from core.ledger_lines import Form, header, line_of, request_of
from core.rows import DecisionDraft, LedgerCount, LedgerEntry, LedgerSummary
from core.store.ledger import Ledger
from core.tools.actions import ToolUse

PAGE = 200
_FORMS = {".jsonl": Form.JSON_LINES, ".json": Form.JSON_LINES, ".csv": Form.CSV}


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written where."""

    path: Path
    count: int


class DecisionLedger:
    """`engine.ledger`. Its methods raise StoreError where the database cannot do it, and Closed."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def count(self, where: LedgerFilter = EVERYTHING) -> LedgerCount:
        """How many there are, and up to which id: what `summaries` is asked with."""
        return await self._ledger.count(where)

    async def summaries(
        self, where: LedgerFilter, newest: int, offset: int, limit: int = PAGE
    ) -> tuple[LedgerSummary, ...]:
        """As a list shows them, newest first: those up to id `newest`, from the `offset`th on."""
        return await self._ledger.summaries(where, newest, offset, limit)

    async def entry(self, decision_id: int) -> LedgerEntry:
        """All of one decision. Raises NotFound."""
        return await self._ledger.entry(decision_id)

    async def box_of(self, entry: LedgerEntry) -> int | None:
        """Where it stands in its conversation; None where it has no place there."""
        request = request_of(entry)
        if entry.conversation_id is None or request is None or not request.item_id:
            return None
        return await self._ledger.box_of(entry.conversation_id, request.item_id)

    async def lines(self, where: LedgerFilter, form: Form, limit: int | None = None) -> AsyncGenerator[str]:
        """The decisions as text, newest first, at most `limit` of them; the header first."""
        if start := header(form):
            yield start
        cursor: int | None = None
        left = sys.maxsize if limit is None else limit
        while left:
            page = await self._ledger.page(where, before=cursor, limit=min(PAGE, left))
            for entry in page.entries:
                yield line_of(entry, form)
            left -= len(page.entries)
            cursor = page.cursor
            if cursor is None:
                return

    async def export(self, path: Path, where: LedgerFilter = EVERYTHING) -> Exported:
        """Write them to a new file, CSV or JSON Lines by its ending; what is at `path` is never replaced.

        Raises InvalidRequest for another ending, Conflict where a file is there, QuarterdeckError where it
        cannot be written; nothing is left of it then.
        """
        form = _FORMS.get(path.suffix.lower())
        if form is None:
            raise InvalidRequest(
                f"{path.name} says no form to write", todo="Let it end with .jsonl or with .csv."
            )
        try:
            file = await asyncio.to_thread(_new_file, path)
        except FileExistsError as error:
            raise Conflict(f"{path} is there already", todo="Name another file.") from error
        except OSError as error:
            raise _not_written(path, error) from error
        try:
            count = await self._write(file, where, form)
        except BaseException as error:
            await asyncio.to_thread(path.unlink, True)
            if isinstance(error, OSError):
                raise _not_written(path, error) from error
            raise
        return Exported(path, count)

    async def _write(self, file: TextIO, where: LedgerFilter, form: Form) -> int:
        count = -1 if form is Form.CSV else 0
        with file:
            pending: list[str] = []
            async for line in self.lines(where, form):
                pending.append(line)
                count += 1
                if len(pending) >= PAGE:
                    await asyncio.to_thread(file.writelines, pending)
                    pending = []
            await asyncio.to_thread(file.writelines, pending)
        return count


def _new_file(path: Path) -> TextIO:
    """For the person alone: commands and files of theirs are in it."""
    path.touch(mode=0o600, exist_ok=False)
    return path.open("w", encoding="utf-8", newline="")


def _not_written(path: Path, error: OSError) -> QuarterdeckError:
    return QuarterdeckError(
        f"{path} cannot be written", why=error.strerror or str(error), todo="Choose another place."
    )


def tool_decision(use: ToolUse, decision: Decision) -> DecisionDraft:
    """What a rule or a profile decided on a call of one of our tools, for the ledger."""
    call = ToolRequest(
        key=RequestKey(generation="", id=0),
        thread_id="",
        turn_id=None,
        item_id="",
        tool=use.tool,
        arguments=use.arguments,
    )
    content = dump_request(call)
    allowed = decision.verdict is Verdict.ALLOW
    return DecisionDraft(
        conversation_id=use.conversation_id,
        decided_by=decision.by,
        kind=call.kind,
        content=content,
        content_hash=hashlib.sha256(content.encode()).hexdigest(),
        answer=json.dumps({"kind": "permit", "allowed": allowed}),
    )
