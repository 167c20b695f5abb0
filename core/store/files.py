"""The database's files: made private, never overwritten, moved together."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

_SUSPECT = "-suspect"
_JOURNAL = "-journal"
_COMPANIONS = ("-wal", "-shm", _JOURNAL, _SUSPECT)


def make_private_folder(folder: Path) -> None:
    """Make it, for its owner alone. One that exists keeps its mode: it may be shared on purpose."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def create_private(path: Path) -> None:
    """An empty file, 0600 from its first moment. SQLite gives -wal and -shm the mode of the main file."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    sync_folder(path.parent)


def make_private(path: Path) -> None:
    """Take from everybody else what an existing file gives them. Raises PermissionError for a read-only one.

    By name and never by opening it: closing a descriptor of a file would drop the locks that SQLite has on
    it in this process.
    """
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    if not os.access(path, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def companion(path: Path, suffix: str) -> Path:
    """A file beside the database, such as its -wal or -shm."""
    return path.with_name(path.name + suffix)


def has_log(path: Path) -> bool:
    """Whether a write-ahead log with something in it lies beside the database.

    SQLite removes it when the last connection closes: a log means a console that is open, or one that
    was killed.
    """
    log = companion(path, "-wal")
    return log.exists() and log.stat().st_size > 0


def has_journal(path: Path) -> bool:
    """Whether a change outside of the write-ahead log was cut short: the making of the file, or a backup's
    return to the log. It has to be undone before anything can be read."""
    return companion(path, _JOURNAL).exists()


def suspect(path: Path) -> None:
    """Have the next open check the whole database, however large it is and however it was closed."""
    companion(path, _SUSPECT).touch(mode=0o600)


def is_suspect(path: Path) -> bool:
    return companion(path, _SUSPECT).exists()


def clear_suspicion(path: Path) -> None:
    companion(path, _SUSPECT).unlink(missing_ok=True)


def move_aside(path: Path, at_ms: int) -> Path:
    """Rename what there is of the database and its companions; returns the main file's new name.

    The main file goes first. A crash in between leaves a log without it, which the next open moves too: a
    log beside a new main file would be deleted by SQLite.
    """
    target = free_name(path, f"damaged-{_stamp(at_ms)}")
    for suffix in ("", *_COMPANIONS):
        if companion(path, suffix).exists():
            companion(path, suffix).rename(companion(target, suffix))
    sync_folder(path.parent)
    return target


def free_name(path: Path, label: str) -> Path:
    """`NAME.label`, or `NAME.label-2`, … : the first that neither a file nor a companion has."""
    return next(name for name in _names(path, label) if not _taken(name))


def sync_file(path: Path) -> None:
    """Have the file's contents on the disk."""
    _sync(path, os.O_RDWR)


def sync_folder(folder: Path) -> None:
    """Have the folder's names on the disk: a new or renamed file survives a power cut only then."""
    _sync(folder, os.O_RDONLY | os.O_DIRECTORY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _names(path: Path, label: str) -> Iterator[Path]:
    yield path.with_name(f"{path.name}.{label}")
    number = 2
    while True:
        yield path.with_name(f"{path.name}.{label}-{number}")
        number += 1


def _taken(path: Path) -> bool:
    return path.exists() or any(companion(path, suffix).exists() for suffix in _COMPANIONS)


def _stamp(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
