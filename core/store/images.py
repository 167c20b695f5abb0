"""The images that go with messages: copied when a message is accepted, and never changed from then on.

`images/CONVERSATION/SHA256/NAME` beside the database: by its contents, so that the same image is there once in its
conversation, under the name that the person and the model know it by. A link to the person's file would not do: it
would change with it. A copy is on the disk before the message that names it, and stays until its conversation is
deleted. What a crash leaves half written has a name that no message has.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import stat
import uuid
from collections.abc import Sequence
from pathlib import Path

from core.errors import InvalidRequest, StoreError
from core.image_files import BEGINNING, MOST_BYTES, objection
from core.rows import KeptImage
from core.store.files import make_private_folder, sync_folder

PIECE = 1 << 20
LONGEST_NAME = 60
_UNFIT = re.compile(r"[^\w .()+-]")
"""Codex writes the path into what the model reads."""


class Images:
    """Implements `core.conversation.ports.ImageStore`."""

    def __init__(self, database: Path) -> None:
        self._folder = database.parent / "images"

    async def keep(self, conversation_id: str, paths: Sequence[str]) -> tuple[KeptImage, ...]:
        """Copy these files for a conversation. The same contents and name again are the same copy.

        Raises InvalidRequest for what is no file, no image or too large; StoreError.
        """
        return await asyncio.to_thread(self._keep, conversation_id, tuple(paths))

    async def forget(self, conversation_id: str) -> None:
        """Delete the copies of a conversation; where there are none, nothing. Raises StoreError."""
        await asyncio.to_thread(self._forget, conversation_id)

    def _keep(self, conversation_id: str, paths: Sequence[str]) -> tuple[KeptImage, ...]:
        folder = self._folder / conversation_id
        try:
            make_private_folder(self._folder)
            make_private_folder(folder)
            return tuple(KeptImage(self._shown(path), str(_copied(path, folder))) for path in paths)
        except OSError as error:
            raise StoreError(
                "The images of this message could not be copied",
                why=str(error),
                todo=f"See that {self._folder} can be written and has room, and send it again.",
            ) from error

    def _shown(self, path: str) -> str:
        """What the person calls it: of one of our own copies, sent once more, its name alone."""
        shown = Path(path).name if Path(path).is_relative_to(self._folder) else path
        return shown.encode(errors="replace").decode()

    def _forget(self, conversation_id: str) -> None:
        folder = self._folder / conversation_id
        try:
            shutil.rmtree(folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(
                "The images of a deleted conversation are still on the disk",
                why=str(error),
                todo=f"Delete {folder} yourself.",
            ) from error


def _copied(path: str, folder: Path) -> Path:
    """The copy of a file in a folder, on the disk when this returns. Raises InvalidRequest, OSError."""
    part = folder / f".{uuid.uuid4().hex}"
    source = _opened(path)
    try:
        digest = _copy(path, source, part)
        target = folder / digest / _name(path)
        make_private_folder(target.parent)
        part.replace(target)
    finally:
        os.close(source)
        part.unlink(missing_ok=True)
    for changed in (target.parent, folder, folder.parent, folder.parent.parent):
        sync_folder(changed)
    return target


def _opened(path: str) -> int:
    try:
        # A pipe or a device that somebody named must not be waited for.
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _refused(path, error.strerror or "" if isinstance(error, OSError) else str(error)) from error
    about = os.fstat(number)
    regular = stat.S_ISREG(about.st_mode)
    why = objection(os.pread(number, BEGINNING, 0), about.st_size) if regular else "it is not a file"
    if why:
        os.close(number)
        raise _refused(path, why)
    return number


def _copy(path: str, source: int, part: Path) -> str:
    """Write what there is to read, and give its hash. It may grow meanwhile: what is copied has its bound."""
    digest = hashlib.sha256()
    left = MOST_BYTES
    with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600), "wb") as file:
        while piece := os.read(source, PIECE):
            left -= len(piece)
            if left < 0:
                raise _refused(path, objection(os.pread(source, BEGINNING, 0), MOST_BYTES - left))
            digest.update(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def _refused(path: str, why: str) -> InvalidRequest:
    todo = "Remove it from the message, or put it back."
    return InvalidRequest(f"{path} cannot be attached", why=why, todo=todo)


def _name(path: str) -> str:
    """The file's name, without what could be read as something else; of a long one the end, which says its kind."""
    return _UNFIT.sub("_", Path(path).name)[-LONGEST_NAME:].lstrip(".") or "image"
