"""`quarterdeck doctor`: what is right and what is not, in words, and what to do about it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from core.codex.binary import find_binary, version_of, version_text
from core.engine import DATABASE
from core.errors import CodexError
from core.hosting import host_options
from core.settings import Settings
from core.store.doctor import examine, repair


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    text: str


async def look(settings: Settings) -> tuple[Finding, ...]:
    """Look at the database and for Codex; nothing is changed. Raises StoreError."""
    database = await asyncio.to_thread(_database, settings.data_dir / DATABASE)
    return (database, await _codex(settings))


def mend(settings: Settings, source: Path | None) -> str:
    """Make a sound database of the damaged one, or of `source`; what was done, for a person.

    Raises StoreError, InvalidRequest.
    """
    path = settings.data_dir / DATABASE
    done = repair(path, source or path, time.time_ns() // 1_000_000)
    taken = sum(table.taken for table in done.tables)
    lost = sum(table.refused + table.unreadable for table in done.tables)
    rest = " Sessions are read again from Codex." if lost else ""
    aside = f" The old file is {done.aside}." if done.aside else ""
    return f"Took over {taken:,} rows, {lost:,} could not be.{rest}{aside}"


def _database(path: Path) -> Finding:
    seen = examine(path)
    aside = "".join(f"\n  moved aside: {file} (see: doctor --repair --from)" for file in seen.aside)
    if not seen.exists:
        return Finding("database", ok=True, text=f"{path} is made at the first start{aside}")
    if seen.sound:
        return Finding("database", ok=True, text=f"{path} is sound, {seen.size:,} bytes{aside}")
    return Finding(
        "database",
        ok=False,
        text=f"{path} is damaged: {seen.problem}. Run `quarterdeck doctor --repair`.{aside}",
    )


async def _codex(settings: Settings) -> Finding:
    try:
        binary = await find_binary(host_options(settings))
    except CodexError as error:
        return Finding("codex", ok=False, text=str(error))
    version = await version_of(binary)
    return Finding(
        "codex", ok=True, text=f"{binary}, {version_text(version) if version else 'version unknown'}"
    )
