"""SQLite's and the file system's errors, in words for a person."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from core.errors import StoreDamaged, StoreError, StoreLocked

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_FORBIDDEN = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH}
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
_NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS}


def is_busy(error: Exception) -> bool:
    """Another connection holds the lock that was needed."""
    return _code(error) in _BUSY


def is_damage(error: sqlite3.Error) -> bool:
    """The file is not, or no longer, a database that SQLite can read."""
    return _code(error) in _DAMAGED or "Could not decode to UTF-8" in str(error)


def explain(error: sqlite3.Error, path: Path) -> StoreError:
    """The error to raise for what SQLite said about the database at `path`."""
    if is_busy(error):
        return StoreLocked(
            f"The database {path} is locked",
            why="Another process has held it for longer than we wait",
            todo="Close the program that holds it and try again; what was recorded before is safe.",
        )
    if is_damage(error):
        return StoreDamaged(
            f"The database {path} cannot be read",
            why=f"SQLite says: {error}",
            todo="Quit every console and start again: a damaged file is moved aside, never overwritten.",
        )
    code = _code(error)
    if code == sqlite3.SQLITE_FULL:
        return _no_room(path)
    if code in _FORBIDDEN:
        return _not_writable(path, str(error))
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(
            f"The database {path} could not be read or written",
            why=f"The disk is failing, over its quota, or gone ({error})",
            todo="Check the disk and try again; what was recorded before is safe.",
        )
    return StoreError(
        f"The database {path} refused an operation",
        why=f"SQLite says: {error}",
        todo="Run `quarterdeck doctor`.",
    )


def explain_os(error: OSError, path: Path) -> StoreError:
    """The error to raise where the file system refused something around the database at `path`."""
    if error.errno in _NO_ROOM:
        return _no_room(path)
    if error.errno in _NOT_WRITABLE:
        return _not_writable(path, str(error))
    return StoreError(
        f"The database {path} cannot be opened",
        why=str(error),
        todo="Check that its folder exists and can be written, or set another place in config.toml.",
    )


def _code(error: Exception) -> int:
    """SQLite's primary result code; 0 where the error is not SQLite's."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _no_room(path: Path) -> StoreError:
    return StoreError(
        "This could not be recorded",
        why=f"The disk that holds {path.parent} is full",
        todo="Free some space and try again; what was recorded before is safe.",
    )


def _not_writable(path: Path, reason: str) -> StoreError:
    return StoreError(
        f"The database {path} cannot be written",
        why=f"The file or its folder is read-only, or belongs to somebody else ({reason})",
        todo="Make both writable for you, or set another place in config.toml.",
    )
