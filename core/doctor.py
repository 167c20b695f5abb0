"""`quarterdeck doctor`: what is right and what is not, in words, and what to do about it."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from core.abilities import abilities
from core.agent.pages import each
from core.agent.port import Account, Agent, ThreadInfo
from core.codex.binary import find_binary, version_of, version_text
from core.codex.client import CodexAgent
from core.codex.options import ControlSocket, PrivateChild
from core.codex.sandbox import try_sandbox
from core.codex.writers import writers_below
from core.engine import DATABASE
from core.errors import CodexError, StoreError
from core.hosting import host_options, local_home
from core.sessions.building import build
from core.sessions.differences import compare, summary
from core.sessions.disk import find_rollouts
from core.sessions.model import Difference, Progress
from core.sessions.rows import Listed
from core.sessions.sessions import INDEX
from core.settings import Settings
from core.store.compacting import compact, delete, problem_of_words
from core.store.doctor import Examination, bound_threads, examine, repair
from core.store.store import Store

SHOWN_DIFFERENCES = 20
"""How many a person is told one by one; with --json all of them are."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    text: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    findings: tuple[Finding, ...]
    differences: tuple[Difference, ...] = ()

    @property
    def ok(self) -> bool:
        return all(finding.ok for finding in self.findings)


async def look(settings: Settings) -> Diagnosis:
    """Look at everything; nothing is changed. Raises SettingsError."""
    database = await asyncio.to_thread(_database, settings.data_dir / DATABASE)
    index = await asyncio.to_thread(_index, settings.data_dir / INDEX)
    findings = [_terminal(), database, index]
    try:
        binary = await find_binary(host_options(settings))
    except CodexError as error:
        return Diagnosis((*findings, Finding("codex", ok=False, text=str(error))))
    version = await version_of(binary)
    said = version_text(version) if version else "version unknown"
    findings.append(Finding("codex", ok=True, text=f"{binary}, {said}"))
    home = local_home(settings)
    if home is not None:
        findings.append(await _sandbox(binary))
        if not await asyncio.to_thread(home.is_dir):
            text = f"{home} is made at the first start: Codex was not used here yet"
            return Diagnosis((*findings, Finding("host", ok=True, text=text)))
    try:
        async with _asking(settings) as agent:
            findings.append(_login(await agent.account()))
            sessions, differences = await _sessions(settings, agent)
    except CodexError as error:
        return Diagnosis((*findings, Finding("host", ok=False, text=str(error))))
    return Diagnosis((*findings, sessions), differences)


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


async def rebuild_index(settings: Settings, say: Callable[[Progress], None]) -> str:
    """Delete the index of sessions and build it anew; `say` hears how far it is. What was done, for a person.

    Raises StoreLocked while a console is open, CodexError where Codex cannot be asked, StoreError.
    """
    path = settings.data_dir / INDEX
    await asyncio.to_thread(delete, path)
    began = time.monotonic()
    store = await Store.open(settings.data_dir / DATABASE, console="doctor")
    try:
        async with _asking(settings) as agent:
            counts = await build(store, agent, path, local_home(settings), say)
    finally:
        await store.close()
    return f"The index holds {counts.sessions:,} sessions; it took {time.monotonic() - began:.1f} s."


def compact_all(settings: Settings) -> str:
    """Make the database and the index small again; what was gained, for a person.

    Raises StoreLocked while a console is open, StoreError.
    """
    done = [compact(settings.data_dir / name) for name in (DATABASE, INDEX)]
    lines = [
        f"{one.path.name}: {_size(one.before)} before, {_size(one.after)} now"
        for one in done
        if one is not None
    ]
    return "\n".join(lines) or "There is no database yet."


@asynccontextmanager
async def _asking(settings: Settings) -> AsyncGenerator[CodexAgent]:
    """A Codex to ask. On this machine it is a child of our own, so that no host is left behind."""
    options = host_options(settings)
    if local_home(settings) is not None:
        # Codex does not start without it.
        options.codex_home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if isinstance(options.mode, ControlSocket):
        options = replace(options, mode=PrivateChild())
    agent = CodexAgent(options)
    await agent.open()
    try:
        yield agent
    finally:
        await agent.close()


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


def _index(path: Path) -> Finding:
    try:
        seen = examine(path)
    except StoreError as error:
        return Finding("index", ok=False, text=str(error))
    if not seen.exists:
        return Finding("index", ok=True, text=f"{path} is built at the first start")
    problem = _problem_of(path, seen)
    if problem:
        text = f"{path} is damaged: {problem}. Run `quarterdeck doctor --rebuild-index`."
        return Finding("index", ok=False, text=text)
    return Finding("index", ok=True, text=f"{path} is sound, {_size(seen.size)}")


def _problem_of(path: Path, seen: Examination) -> str:
    return seen.problem or problem_of_words(path)


async def _sandbox(binary: Path) -> Finding:
    trial = await try_sandbox(binary)
    if trial.runs and trial.holds:
        return Finding("sandbox", ok=True, text="commands run in it, and may not write outside of it")
    if trial.runs:
        text = "commands run, but nothing keeps them from writing: choose read-only work, or another machine"
        return Finding("sandbox", ok=False, text=text)
    text = f"it does not work here ({trial.said}): every command will ask to run outside of it"
    return Finding("sandbox", ok=False, text=text)


def _login(account: Account) -> Finding:
    if account.signed_in:
        return Finding("login", ok=True, text=f"signed in, {account.label}")
    if not account.needed:
        return Finding("login", ok=True, text="none is needed for this provider")
    return Finding("login", ok=False, text="nobody is signed in. Start quarterdeck: it shows how.")


def _terminal() -> Finding:
    if not os.isatty(1):
        return Finding("terminal", ok=True, text="this output goes to no terminal")
    size = shutil.get_terminal_size()
    found = abilities(os.environ, size.columns, size.lines)
    return Finding("terminal", ok=found.enough, text=found.sentence)


async def _sessions(settings: Settings, agent: Agent) -> tuple[Finding, tuple[Difference, ...]]:
    listed = {thread.id: _listed(thread, False) for thread in await _threads(agent, archived=False)}
    listed |= {thread.id: _listed(thread, True) for thread in await _threads(agent, archived=True)}
    home = local_home(settings)
    if home is None:
        text = f"Codex lists {len(listed):,}; its files are on another machine"
        return Finding("sessions", ok=True, text=text), ()
    known = await asyncio.to_thread(bound_threads, settings.data_dir / DATABASE)
    files = await asyncio.to_thread(find_rollouts, home)
    writers = {path: str(writer) for path, writer in (await asyncio.to_thread(writers_below, home)).items()}
    found = await asyncio.to_thread(compare, listed, files, known, writers)
    wrong = sum(one.wrong for one in found)
    text = (
        f"{summary(listed, files, known).sentence}; {len(found):,} differ, {wrong:,} of them for a bad reason"
    )
    return Finding("sessions", ok=not wrong, text=text), found


async def _threads(agent: Agent, *, archived: bool) -> list[ThreadInfo]:
    return [one async for one in each(lambda cursor: agent.threads(cursor=cursor, archived=archived))]


def _listed(thread: ThreadInfo, archived: bool) -> Listed:
    return Listed(archived, thread.source, thread.parent_id is not None, thread.path or "")


def _size(count: int) -> str:
    return f"{count / 1_000_000:,.1f} MB"
