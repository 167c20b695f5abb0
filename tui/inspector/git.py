"""What git knows of a folder, read without letting the repository run anything.

`branch_of` and `git_dir_of` block, for as long as a small file takes to read: call them off the event loop.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

from core.errors import QuarterdeckError
from tui.inspector.diff import FileDiff, files_of

MOST_FILES = 500
"""Changed files that are listed."""

MOST_BYTES = 4_000_000
"""Of what git says: a diff beyond that is cut."""

SECONDS = 15.0
_LONGEST_HEAD = 4_096
_SHORT_HASH = 8
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""What a repository without a commit is compared with: git knows this tree everywhere."""

_HARMLESS = ("-c", "core.fsmonitor=false", "-c", "core.quotepath=off", "-c", "diff.external=")
_ENV = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C.UTF-8"}
_DIFF = ("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames")


class GitFailed(QuarterdeckError):
    """git is not there, takes too long, or refuses."""


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A changed file, its path from the top of the working tree. Counts None: binary, or not tracked."""

    path: str
    added: int | None
    removed: int | None
    tracked: bool = True


@dataclass(frozen=True, slots=True)
class Tree:
    """The working tree against the last commit. `more` counts the files that are not in `files`."""

    top: Path
    files: tuple[TreeFile, ...]
    more: int
    folders: tuple[str, ...]
    """The folders that hold files of the repository, to be watched."""


async def read_tree(folder: Path, most_folders: int) -> Tree | None:
    """What is changed; None where the folder is in no repository. Raises GitFailed."""
    git_dir = await asyncio.to_thread(git_dir_of, folder)
    if git_dir is None:
        return None
    top = Path((await _git(folder, "rev-parse", "--show-toplevel")).rstrip("\n"))
    counts = await _git(top, *_DIFF, "--numstat", "--no-renames", "-z", await _base(top))
    loose = await _git(top, "ls-files", "--others", "--exclude-standard", "-z")
    known = await _git(top, "ls-files", "-z")
    files = [_counted(entry) for entry in counts.split("\0") if entry.count("\t") == 2]
    untracked = [path for path in loose.split("\0") if path]
    files += [TreeFile(path, None, None, tracked=False) for path in untracked]
    holding = {os.path.dirname(path) for path in (*known.split("\0"), *untracked) if path}  # noqa: PTH120
    folders = sorted({str(git_dir), str(top), *(str(top / name) for name in holding)})
    return Tree(
        top, tuple(files[:MOST_FILES]), max(0, len(files) - MOST_FILES), tuple(folders[: most_folders + 1])
    )


async def read_diff(tree: Tree, file: TreeFile) -> list[FileDiff]:
    """The change of one file. Raises GitFailed."""
    if file.tracked:
        return files_of(await _git(tree.top, *_DIFF, await _base(tree.top), "--", file.path))
    text = await asyncio.to_thread(_beginning, tree.top / file.path)
    return [FileDiff(file.path, "add", text, text.count("\n"), 0)]


async def read_all(tree: Tree) -> list[FileDiff]:
    """The changes of all files of a tree. Raises GitFailed."""
    files = files_of(await _git(tree.top, *_DIFF, await _base(tree.top)))
    for file in tree.files:
        if not file.tracked:
            files += await read_diff(tree, file)
    return files


async def changed_below(folder: Path) -> list[str]:
    """What is changed or new in a folder, as paths from it; none outside of a repository. Raises GitFailed."""
    if await asyncio.to_thread(git_dir_of, folder) is None:
        return []
    changed = await _git(folder, *_DIFF, "--name-only", "--relative", "-z", await _base(folder))
    loose = await _git(folder, "ls-files", "--others", "--exclude-standard", "-z")
    return [path for path in (*changed.split("\0"), *loose.split("\0")) if path]


async def branches_of(folder: Path) -> list[str]:
    """The branches of a folder's repository, the last used first; none outside of one."""
    return await _lines(
        folder, "for-each-ref", "--sort=-committerdate", "--format=%(refname:short)", "refs/heads"
    )


async def commits_of(folder: Path, most: int) -> list[tuple[str, str]]:
    """The newest commits: short hash and subject; none outside of a repository."""
    lines = await _lines(folder, "log", f"--max-count={most}", "--format=%h%x09%s")
    return [(sha, subject) for sha, _, subject in (line.partition("\t") for line in lines)]


async def _lines(folder: Path, *arguments: str) -> list[str]:
    try:
        return (await _git(folder, *arguments)).splitlines()
    except GitFailed:
        return []


async def _base(top: Path) -> str:
    try:
        await _git(top, "rev-parse", "--verify", "--quiet", "HEAD")
    except GitFailed:
        return _EMPTY_TREE
    return "HEAD"


async def _git(folder: Path, *arguments: str) -> str:
    """What git says, at most `MOST_BYTES` of it. Raises GitFailed."""
    try:
        process = await asyncio.create_subprocess_exec(
            "git",
            *_HARMLESS,
            *arguments,
            cwd=folder,
            env={**os.environ, **_ENV},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError as error:
        raise GitFailed("git cannot be run", why=str(error.strerror), todo="Install git.") from error
    assert process.stdout is not None
    try:
        async with asyncio.timeout(SECONDS):
            said = await _read(process.stdout)
            if len(said) < MOST_BYTES and await process.wait():
                raise GitFailed(f"git {arguments[0]} failed", why=f"exit code {process.returncode}")
    except TimeoutError as error:
        raise GitFailed("git did not answer in time", why=f"{SECONDS:g} s were given") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return said.decode("utf-8", "replace")


async def _read(stream: asyncio.StreamReader) -> bytes:
    said = bytearray()
    while len(said) < MOST_BYTES and (piece := await stream.read(65_536)):
        said += piece
    return bytes(said[:MOST_BYTES])


def _counted(entry: str) -> TreeFile:
    added, removed, path = entry.split("\t")
    return TreeFile(path, _number(added), _number(removed))


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def _beginning(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        raise GitFailed(f"{path.name} cannot be read", why=str(error.strerror)) from error
    return "(a binary file)\n" if b"\0" in data else data.decode("utf-8", "replace")


def branch_of(folder: Path) -> str:
    """The branch that is checked out, a short hash for none, "" where the folder is in no repository."""
    git_dir = git_dir_of(folder)
    head = _first_line(git_dir / "HEAD") if git_dir is not None else ""
    if head.startswith("ref: "):
        return head.removeprefix("ref: ").removeprefix("refs/heads/")
    return head[:_SHORT_HASH]


def git_dir_of(folder: Path) -> Path | None:
    """Where git keeps what belongs to the working tree that the folder is in; None for no repository."""
    for place in (folder, *folder.parents):
        dot_git = place / ".git"
        try:
            if dot_git.is_dir():
                return dot_git
            if dot_git.is_file():
                return (place / _first_line(dot_git).removeprefix("gitdir: ")).resolve()
        except OSError:
            return None
    return None


def _first_line(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST_HEAD).decode("utf-8", "replace").partition("\n")[0].strip()
    except OSError:
        return ""
