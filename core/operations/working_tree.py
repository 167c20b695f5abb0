"""What is changed in a folder since its last commit, as git tells it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from pathlib import Path

from core.errors import DeadlineElapsed, Unsupported
from core.operations.model import ChangedFile, WorkingTree

SECONDS = 20.0
MOST_FILES = 400
LARGEST_DIFF = 512 * 1024
LARGEST_OUTPUT = 64 * 1024 * 1024

_GIT = ("git", "-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "--no-optional-locks")
_DIFF = ("diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames")
"""Nothing that the repository's own configuration names is run, and nothing is written."""

_FILE = re.compile(r"^diff --(?:git|cc|combined) .*$", re.MULTILINE)
"""The head of each file in a diff; no line of a hunk begins like this."""

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


async def working_tree(folder: Path) -> WorkingTree:
    """Tracked files against the last commit, and untracked ones. Blocks nothing.

    Raises Unsupported where the folder is in no git repository or git is not there, DeadlineElapsed.
    """
    base = EMPTY_TREE if await _git(folder, "rev-parse", "--verify", "-q", "HEAD") is None else "HEAD"
    named = await _needed(folder, *_DIFF, "--name-status", "-z", base)
    fields = named.split("\0")[:-1]
    tracked = list(zip(fields[1::2], fields[::2], strict=True))
    diffs = _FILE.split(await _needed(folder, *_DIFF, base))[1:]
    if len(diffs) != len(tracked):
        raise Unsupported(
            "There is no diff of this folder", why="git tells of files that it shows no diff of"
        )
    untracked = (await _needed(folder, "ls-files", "--others", "--exclude-standard", "-z")).split("\0")[:-1]
    top = Path((await _needed(folder, "rev-parse", "--show-toplevel")).rstrip("\n"))
    files = [
        await asyncio.to_thread(_tracked, top, path, letter, diff)
        for (path, letter), diff in zip(tracked[:MOST_FILES], diffs, strict=False)
    ]
    for path in untracked[: MOST_FILES - len(files)]:
        files.append(await asyncio.to_thread(_new_file, folder / path, path))
    return WorkingTree(tuple(files), len(tracked) + len(untracked) - len(files))


def _tracked(top: Path, path: str, letter: str, diff: str) -> ChangedFile:
    hunks = diff[diff.find("\n@@") + 1 :] if "\n@@" in diff else ""
    match letter:
        case "A":
            return _new_file(top / path, path)
        case "D":
            removed = [line[1:] for line in hunks.splitlines(keepends=True) if line.startswith("-")]
            return _of_text(path, "delete", "".join(removed))
        case _ if hunks:
            return _of_text(path, "update", hunks)
        case _:
            return ChangedFile(path, "update", "", "its mode changed, or it is no text")


def _new_file(file: Path, path: str) -> ChangedFile:
    try:
        if file.is_symlink():
            return ChangedFile(path, "add", f"{file.readlink()}\n")
        if not file.is_file():
            return ChangedFile(path, "add", "", "it is no regular file")
        with file.open("rb") as opened:
            data = opened.read(LARGEST_DIFF + 1)
    except OSError as error:
        return ChangedFile(path, "add", "", f"it cannot be read: {error.strerror or error}")
    return _of_text(path, "add", data.decode("utf-8", errors="replace"), data)


def _of_text(path: str, kind: str, text: str, data: bytes | None = None) -> ChangedFile:
    if len(data if data is not None else text) > LARGEST_DIFF:
        return ChangedFile(path, kind, "", f"it is larger than {LARGEST_DIFF // 1024} KiB")
    if "\0" in text:
        return ChangedFile(path, kind, "", "it is no text")
    return ChangedFile(path, kind, text)


async def _needed(folder: Path, *words: str) -> str:
    output = await _git(folder, *words)
    if output is None:
        raise Unsupported(
            "There is no diff of this folder", why="it is in no git repository", todo="Run `git init` in it."
        )
    return output


async def _git(folder: Path, *words: str) -> str | None:
    """What git wrote; None where it failed."""
    try:
        process = await asyncio.create_subprocess_exec(
            *_GIT,
            *words,
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
        )
    except FileNotFoundError as error:
        raise Unsupported("There is no diff of this folder", why="git is not installed") from error
    assert process.stdout is not None
    try:
        async with asyncio.timeout(SECONDS):
            output = await _read(process.stdout)
            code = await process.wait()
    except TimeoutError as error:
        raise DeadlineElapsed(f"git did not answer in {SECONDS:.0f} s", todo="Try again.") from error
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    return output.decode("utf-8", errors="replace") if code == 0 else None


async def _read(stream: asyncio.StreamReader) -> bytes:
    """All of it, up to what may be held. What is more is not waited for."""
    parts: list[bytes] = []
    size = 0
    while part := await stream.read(1 << 20):
        size += len(part)
        if size > LARGEST_OUTPUT:
            raise Unsupported("There is no diff of this folder", why="it is too large")
        parts.append(part)
    return b"".join(parts)
