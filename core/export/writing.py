"""An export into a file: whole or not at all, for its owner's eyes, and over another only when told."""

from __future__ import annotations

import asyncio
import errno
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from core.errors import Conflict, QuarterdeckError

_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


async def write_file(path: Path, pieces: AsyncIterator[str], *, overwrite: bool) -> int:
    """Write the pieces; how many bytes it came to. Nothing is left of a file that could not be finished.

    Raises Conflict where there is such a file already, QuarterdeckError where the folder cannot be written.
    """
    if not overwrite:
        _refuse_existing(path)
    beside: Path | None = None
    try:
        file, beside = _private(path.parent)
        with file:
            async for piece in pieces:
                await asyncio.to_thread(file.write, piece.encode("utf-8", "replace"))
            await asyncio.to_thread(_settle, file)
            size = file.tell()
        _put(beside, path, overwrite)
    except OSError as error:
        raise QuarterdeckError(
            f"{path} was not written", why=error.strerror or str(error), todo="Name another place for it."
        ) from error
    finally:
        if beside is not None:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
    return size


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise _exists(path)


def _private(folder: Path) -> tuple[IO[bytes], Path]:
    """A new file under a name that nobody else could have made ready: the folder may be others' too."""
    number, name = tempfile.mkstemp(dir=folder, prefix=".quarterdeck-", suffix=".part")
    return os.fdopen(number, "wb"), Path(name)


def _settle(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _put(beside: Path, path: Path, overwrite: bool) -> None:
    """Give it its name. A link fails where somebody made such a file meanwhile, a rename would not."""
    if overwrite:
        beside.replace(path)
        return
    try:
        path.hardlink_to(beside)
    except FileExistsError:
        raise _exists(path) from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        beside.rename(path)


def _exists(path: Path) -> Conflict:
    return Conflict(
        f"{path} was not written", why="it is there already", todo="Name another file, or say --force."
    )
