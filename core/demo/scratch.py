"""A place for Codex of its own: CODEX_HOME, a small project, and the scripted model.

Behind `--demo` (`lasting_scratch`) and under the tests (`temporary_scratch`).
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.demo.leftovers import end_leftovers
from core.demo.process import ModelProcess
from core.demo.settings import config_toml, model_catalog
from core.errors import HostUnavailable

HUMAN_PACE = 1 / 45
"""Seconds between two deltas at which a person sees the stream."""

_PORT_FILE = "model-port"

_FILES = {
    "README.md": "# Harbour\n\nA tiny project to try things on.\n\n- `greet.py` says hello\n- `notes.md` is yours to change\n",
    "greet.py": 'GREETINGS = [\n    "hello",\n]\n\n\ndef greet(name: str) -> str:\n    return f"{GREETINGS[0]}, {name}"\n\n\nif __name__ == "__main__":\n    print(greet("harbour"))\n',
    "notes.md": "# Notes\n\n- nothing yet\n",
}


@dataclass(frozen=True, slots=True)
class Scratch:
    """`home` is the CODEX_HOME, `project` a folder to work in, `model` the scripted model it points to."""

    home: Path
    project: Path
    model: ModelProcess

    @property
    def env(self) -> dict[str, str]:
        """The environment for a Codex that runs here."""
        return {**os.environ, "CODEX_HOME": str(self.home)}


@contextmanager
def scratch_around(model: ModelProcess) -> Generator[Scratch]:
    """A temporary scratch for a model that somebody else ends. What ran in it is ended, then it is removed.

    The path is short, as a unix socket's must stay under about 100 bytes.
    """
    folder = Path(tempfile.mkdtemp(prefix="qd-", dir=_base())).resolve()
    try:
        yield _lay_out(folder, model)
    finally:
        end_leftovers(folder / "home")
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def temporary_scratch(*, pace: float = 0.0, record: bool = True) -> AsyncGenerator[Scratch]:
    """A scratch with a model of its own; nothing of it is left afterwards. Raises HostUnavailable."""
    model = await asyncio.to_thread(ModelProcess.start, pace=pace, record=record)
    try:
        with scratch_around(model) as scratch:
            yield scratch
    finally:
        await asyncio.to_thread(model.close)


@asynccontextmanager
async def lasting_scratch(folder: Path, *, pace: float = HUMAN_PACE) -> AsyncGenerator[Scratch]:
    """The scratch in `folder`, made at the first time; its conversations are there the next time.

    The model comes back at the port it had, so that a host which survived a crash of its console still
    reaches it; if that port is taken, at another one, which every newly loaded thread then uses.
    At the end the model and everything that runs for this CODEX_HOME are ended. Raises HostUnavailable.
    """
    model = await asyncio.to_thread(_start_at_old_port, folder, pace)
    try:
        scratch = await asyncio.to_thread(_lay_out, folder, model)
        try:
            yield scratch
        finally:
            await asyncio.to_thread(end_leftovers, scratch.home)
    finally:
        await asyncio.to_thread(model.close)


def _base() -> str | None:
    """Where temporary scratches go. In the system's own temporary folder Codex makes no helper binaries, and
    a command on a terminal then fails under the sandbox, which lets everyone write there too.
    """
    other = "/var/tmp"
    return other if os.access(other, os.W_OK | os.X_OK) else None


def _start_at_old_port(folder: Path, pace: float) -> ModelProcess:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / _PORT_FILE
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
    """Make home and project where they are missing; the settings are written anew each time."""
    folder = folder.resolve()
    home, project = folder / "home", folder / "project"
    home.mkdir(mode=0o700, exist_ok=True)
    catalog = home / "models.json"
    catalog.write_text(model_catalog())
    (home / "config.toml").write_text(config_toml(model.base_url, catalog, project))
    if not project.exists():
        project.mkdir()
        for name, text in _FILES.items():
            (project / name).write_text(text)
        _make_repository(project)
    return Scratch(home, project, model)


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
