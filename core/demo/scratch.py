"""A place for Codex of its own: CODEX_HOME, a small project, and the scripted model.

Behind `--demo` (`lasting_scratch`) and under the tests (`temporary_scratch`).
"""

from __future__ import annotations

import asyncio
import fcntl
import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from core.demo.leftovers import end_leftovers
from core.demo.process import ModelProcess
from core.demo.settings import config_toml, model_catalog
from core.errors import HostUnavailable

HUMAN_PACE = 1 / 45
"""Seconds between two deltas at which a person sees the stream."""

_PORT = "model-port"
_LOCK = "in-use"
_GENERATED = "config-as-written.toml"
_PROJECT = Path(__file__).with_name("project")
PROJECT = "project"
"""The folder to work in, within a scratch."""

_OTHER_TEMPORARY = "/var/tmp"


@dataclass(frozen=True, slots=True)
class Scratch:
    """`home` is the CODEX_HOME, `project` a folder to work in, `model` the scripted model it points to.

    Nobody is asked to sign in here. The sandbox is read-only and approvals are on request unless a thread
    says otherwise.
    """

    home: Path
    project: Path
    model: ModelProcess

    @property
    def folder(self) -> Path:
        """What home and project lie in. Room for data of the console's own."""
        return self.home.parent

    @property
    def env(self) -> dict[str, str]:
        """The environment for a Codex that runs here."""
        return {**os.environ, "CODEX_HOME": str(self.home)}


@asynccontextmanager
async def temporary_scratch(*, pace: float = 0.0, record: bool = True) -> AsyncGenerator[Scratch]:
    """A scratch with a model of its own; nothing of it is left afterwards. Raises HostUnavailable."""
    model = await _started(lambda: ModelProcess.start(pace=pace, record=record))
    try:
        scratch = await asyncio.to_thread(make_scratch, model)
        try:
            yield scratch
        finally:
            await asyncio.to_thread(remove_scratch, scratch)
    finally:
        await asyncio.to_thread(model.close)


def make_scratch(model: ModelProcess) -> Scratch:
    """A temporary scratch for a model that is there already. Blocks, for some 20 ms.

    It gets a short path, since a unix socket's must stay under about 100 bytes. It is not in the system's own
    temporary folder: there Codex makes no helper binaries, so a command on a terminal fails under the
    sandbox, and the sandbox lets everyone write there.
    """
    base = _OTHER_TEMPORARY if os.access(_OTHER_TEMPORARY, os.W_OK | os.X_OK) else None
    return _lay_out(Path(tempfile.mkdtemp(prefix="qd-", dir=base)), model)


def first_folder(base: Path) -> Path:
    """Where a lasting scratch lives while no other process has it."""
    return (base / "1").resolve()


def remove_scratch(scratch: Scratch) -> None:
    """End what runs for its CODEX_HOME, then remove it. Blocks, for 3 s at the most."""
    end_leftovers(scratch.home)
    shutil.rmtree(scratch.folder, ignore_errors=True)


@asynccontextmanager
async def lasting_scratch(base: Path, *, pace: float = HUMAN_PACE) -> AsyncGenerator[Scratch]:
    """The scratch that lasts in `base`: its conversations are there the next time.

    While another process has it, the next one (`base/2`…) is used. The model comes back at the port it had, so
    that a host which survived a crash of its console still reaches it; if that port is taken, at another
    one, which every thread loaded from then on uses. At the end the model and everything that runs for
    this CODEX_HOME are ended. Raises HostUnavailable, or OSError if `base` cannot be written.
    """
    folder, lock = await asyncio.to_thread(_claim, base)
    async with _inhabited(folder, lock, pace) as scratch:
        yield scratch


@asynccontextmanager
async def shared_scratch(folder: Path) -> AsyncGenerator[None]:
    """One folder of a lasting scratch, with its model running: that of another process which has it, or our own.

    Raises HostUnavailable, or OSError if the folder cannot be written.
    """
    lock = await asyncio.to_thread(_lock, folder)
    if lock is None:
        yield
        return
    async with _inhabited(folder, lock, HUMAN_PACE):
        yield


@asynccontextmanager
async def _inhabited(folder: Path, lock: int, pace: float) -> AsyncGenerator[Scratch]:
    """What lasts in a folder, awake; `lock` is closed at the end."""
    try:
        model = await _started(lambda: _start_at_old_port(folder / _PORT, pace))
        try:
            scratch = await asyncio.to_thread(_lay_out, folder, model)
            try:
                yield scratch
            finally:
                await asyncio.to_thread(end_leftovers, scratch.home)
        finally:
            await asyncio.to_thread(model.close)
    finally:
        os.close(lock)


async def _started(start: Callable[[], ModelProcess]) -> ModelProcess:
    """Start a model in a thread; one that comes up after we were cancelled is ended."""
    starting = asyncio.ensure_future(asyncio.to_thread(start))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        starting.add_done_callback(_end_unwanted)
        raise


def _end_unwanted(started: asyncio.Future[ModelProcess]) -> None:
    if not started.cancelled() and started.exception() is None:
        started.result().close()


def _claim(base: Path) -> tuple[Path, int]:
    """The first folder in `base` that no other process has, and the open lock that keeps it ours."""
    for number in itertools.count(1):
        folder = base / str(number)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = _lock(folder)
        if lock is not None:
            return folder.resolve(), lock
    raise AssertionError("itertools.count has no end")


def _lock(folder: Path) -> int | None:
    """The open lock that keeps a folder ours; None while another process has it."""
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


def _start_at_old_port(file: Path, pace: float) -> ModelProcess:
    try:
        port = int(file.read_text())
    except (OSError, ValueError):
        port = 0
    try:
        model = ModelProcess.start(port=port, pace=pace)
    except HostUnavailable:
        if port == 0:
            raise
        model = ModelProcess.start(pace=pace)
    file.write_text(f"{model.port}\n")
    return model


def _lay_out(folder: Path, model: ModelProcess) -> Scratch:
    """Make home and project where they are missing."""
    folder = folder.resolve()
    home, project = folder / "home", folder / PROJECT
    home.mkdir(mode=0o700, exist_ok=True)
    catalog = home / "models.json"
    catalog.write_text(model_catalog())
    _write_config(home / "config.toml", folder / _GENERATED, config_toml(model.base_url, catalog, project))
    if not project.exists():
        shutil.copytree(_PROJECT, project, ignore=shutil.ignore_patterns("__pycache__"))
        _make_repository(project)
    return Scratch(home, project, model)


def _write_config(config: Path, generated: Path, text: str) -> None:
    """Codex adds to its config.toml what a person decided for always: that stays as long as ours is the same."""
    if config.exists() and generated.exists() and generated.read_text() == text:
        return
    config.write_text(text)
    generated.write_text(text)


def _make_repository(project: Path) -> None:
    """A git repository with one commit, if git is there: Codex then tells branch and diff."""
    git = shutil.which("git")
    if git is None:
        return
    author = ["-c", "user.name=Quarterdeck", "-c", "user.email=demo@localhost"]
    for arguments in (
        ["init", "-q", "-b", "main"],
        ["add", "."],
        [*author, "commit", "-q", "-m", "A place to try things"],
    ):
        subprocess.run(
            [git, *arguments], cwd=project, capture_output=True, check=False, stdin=subprocess.DEVNULL
        )
