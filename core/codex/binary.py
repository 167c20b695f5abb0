"""Which Codex binary: the setting, else `codex` on PATH if it is new enough, else the bundled wheel."""

from __future__ import annotations

import asyncio
import functools
import importlib
import os
import re
import shutil
from pathlib import Path
from typing import cast

from core.codex.options import HostOptions
from core.errors import CodexNotFound, CodexTooOld

Version = tuple[int, int, int]

MINIMUM: Version = (0, 163, 0)
"""The oldest version whose protocol we know (PROTOCOL)."""

VERSION_SECONDS = 20.0
"""A cold disk needs its time: the binary is some 360 MB."""

_INSTALL = "Install Codex (https://developers.openai.com/codex/cli), or Quarterdeck with its `codex` extra."
_UPDATE = "Update Codex, or name a newer one in the settings under host.codex."
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")

_known_versions: dict[tuple[str, int, int], Version | None] = {}


def parse_version(text: str) -> Version | None:
    """The first `1.2.3` in the text, as in `codex-cli 0.163.0` or `codex-tui/0.163.0 (Debian …)`."""
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def version_text(version: Version) -> str:
    return ".".join(map(str, version))


def refuse_too_old(version: Version | None, where: str, todo: str = _UPDATE) -> None:
    """Raise CodexTooOld for a version that is known and below `MINIMUM`.

    A version that cannot be read is let through: a development build is likelier than an ancient one.
    """
    if version is not None and version < MINIMUM:
        raise CodexTooOld(
            f"Codex {version_text(version)} is too old",
            why=f"{where}; Quarterdeck needs {version_text(MINIMUM)} or newer",
            todo=todo,
        )


async def find_binary(options: HostOptions) -> Path:
    """The binary to start. Raises CodexNotFound or CodexTooOld.

    Costs a run of `codex --version` for each binary not seen before, so ask only when a host has to be
    started.
    """
    if options.binary is not None:
        return await _named(options.binary.expanduser())
    on_path = shutil.which("codex", path=options.env.get("PATH"))
    version = await version_of(Path(on_path)) if on_path else None
    if on_path and version is not None and version >= MINIMUM:
        return Path(on_path)
    bundled = bundled_binary()
    if bundled is not None:
        return bundled
    if on_path:
        refuse_too_old(version, f"it is the one on PATH, {on_path}")
        return Path(on_path)
    raise CodexNotFound(
        "No Codex was found", why="there is no `codex` on PATH and none is bundled", todo=_INSTALL
    )


async def _named(binary: Path) -> Path:
    problem = _problem_with(binary)
    if problem:
        raise CodexNotFound(
            f"The Codex of the settings, {binary}, cannot be used",
            why=problem,
            todo="Correct host.codex in the settings, or remove it.",
        )
    refuse_too_old(await version_of(binary), f"it is the one of the settings, {binary}")
    return binary


def _problem_with(binary: Path) -> str:
    if not binary.exists():
        return "there is no such file"
    if not binary.is_file() or not os.access(binary, os.X_OK):
        return "it is not an executable file"
    return ""


@functools.cache
def bundled_binary() -> Path | None:
    """The binary of the optional `openai-codex-cli-bin` wheel, which is never older than `MINIMUM`."""
    try:
        wheel = importlib.import_module("codex_cli_bin")
    except ImportError:
        return None
    return Path(cast("str | Path", wheel.bundled_codex_path()))


async def version_of(binary: Path) -> Version | None:
    """What `--version` says, remembered for the same file. None if it says nothing that we understand."""
    key = _file_key(binary)
    if key is None:
        return None
    if key not in _known_versions:
        _known_versions[key] = await _ask_version(binary)
    return _known_versions[key]


def _file_key(binary: Path) -> tuple[str, int, int] | None:
    """Changes when the file does, an update in place too. None where there is no file."""
    try:
        stat = binary.stat()
    except OSError:
        return None
    return str(binary.resolve()), stat.st_mtime_ns, stat.st_size


async def _ask_version(binary: Path) -> Version | None:
    try:
        process = await asyncio.create_subprocess_exec(
            binary,
            "--version",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return None
    try:
        async with asyncio.timeout(VERSION_SECONDS):
            said, _ = await process.communicate()
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return parse_version(said.decode("utf-8", "replace"))
