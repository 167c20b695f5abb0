"""What git knows of a folder. Everything here blocks: call it off the event loop."""

from __future__ import annotations

from pathlib import Path

_LONGEST_HEAD = 4_096
"""Bytes of a HEAD file that are read: a branch's name has less."""

_SHORT_HASH = 8


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
