"""What can be done with a session, as the engine does it. No widgets; every method raises QuarterdeckError."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InvalidRequest, QuarterdeckError, Unsupported
from core.export.parts import Format
from core.sessions.model import Difference, SessionEntry
from core.writers import IMPORTED
from tui.transcript import safe

if TYPE_CHECKING:
    from core.engine import Engine

FORKED_AS_TEXT = 60_000
"""Characters of an imported conversation's end that a new one begins with."""

_FORMATS = {one.value: one for one in Format}


class SessionActions:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def conversation(self, entry: SessionEntry) -> str:
        """The id of its conversation, made now where there is none."""
        return await self._engine.sessions.open(entry.key)

    async def fork(self, entry: SessionEntry) -> str:
        """The id of a new conversation that goes on from the end of this one."""
        conversation_id = await self.conversation(entry)
        if await self._imported(entry, conversation_id):
            return await self._fork_as_text(entry, conversation_id)
        return await self._engine.operations.fork(conversation_id)

    async def rename(self, entry: SessionEntry, title: str) -> None:
        if not title.strip():
            raise InvalidRequest("A title needs a word", todo="Write one.")
        await self._engine.operations.rename(await self.conversation(entry), title.strip())

    async def archive(self, entry: SessionEntry) -> str:
        """Archive it, or bring it back; what was done, in words."""
        conversation_id = await self.conversation(entry)
        if entry.archived:
            await self._engine.operations.unarchive(conversation_id)
            return "Brought back from the archive"
        await self._engine.operations.archive(conversation_id)
        return "Archived; is:archived shows what is"

    async def pin(self, entry: SessionEntry) -> None:
        """Pin it, or let it go."""
        if entry.pinned:
            await self._engine.sessions.unpin(entry.key)
        else:
            await self._engine.sessions.pin(entry.key)

    async def tag(self, entry: SessionEntry, words: str) -> None:
        """Have it have exactly these tags, which commas part."""
        wanted = list(dict.fromkeys(" ".join(tag.split()).lstrip("#") for tag in words.split(",")))
        for tag in entry.tags:
            if tag not in wanted:
                await self._engine.sessions.untag(entry.key, tag)
        for tag in wanted:
            if tag and tag not in entry.tags:
                await self._engine.sessions.tag(entry.key, tag)

    async def export_name(self, entry: SessionEntry) -> str:
        """Where it goes unless the person says otherwise."""
        conversation_id = await self.conversation(entry)
        return str(Path.cwd() / await self._engine.export.name(conversation_id, Format.HTML))

    async def export(self, entry: SessionEntry, name: str) -> str:
        """Write it to a file whose ending says the format; what was done, in words."""
        path = Path(name.strip())
        chosen = _FORMATS.get(path.suffix.lstrip(".").lower())
        if chosen is None:
            raise InvalidRequest(
                f"{path.name} says no format", todo="Let it end in .md, .html or .jsonl, and try again."
            )
        conversation_id = await self.conversation(entry)
        done = await self._engine.export.to_file(conversation_id, path, chosen)
        return " ".join((f"Wrote {done.path}, secrets covered.", *done.missing))

    async def open_folder(self, entry: SessionEntry) -> None:
        """In the file manager."""
        program = "open" if sys.platform == "darwin" else "xdg-open"
        if not os.path.isabs(entry.folder) or not await asyncio.to_thread(os.path.isdir, entry.folder):  # noqa: PTH117
            raise InvalidRequest(f"{safe.line(entry.folder) or 'Its folder'} is not on this machine")
        try:
            process = await asyncio.create_subprocess_exec(
                program,
                entry.folder,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise Unsupported(
                "The folder was not opened", why=f"{program} cannot be started: {error.strerror}"
            ) from error
        if await process.wait():
            raise Unsupported("The folder was not opened", why=f"{program} says that it cannot")

    async def differences(self) -> str:
        """What Codex, the disk and our database do not have in common, in words."""
        found = await self._engine.sessions.differences()
        if not found:
            return "Codex, the disk and Quarterdeck have the same sessions."
        wrong = [one for one in found if one.wrong]
        right = [one for one in found if not one.wrong]
        return "\n\n".join(
            part
            for part in (_listed("Something should be done:", wrong), _listed("As it should be:", right))
            if part
        )

    async def _imported(self, entry: SessionEntry, conversation_id: str) -> bool:
        if entry.thread_id is not None:
            return False
        return (await self._engine.open(conversation_id)).writer == IMPORTED

    async def _fork_as_text(self, entry: SessionEntry, conversation_id: str) -> str:
        """Its thread is at another Codex: a new conversation gets its text, for the person to send."""
        pieces = self._engine.export.pieces(conversation_id, Format.MARKDOWN)
        text = "".join([piece async for piece in pieces.text])[-FORKED_AS_TEXT:]
        folder = Path(entry.folder)
        here = folder if await asyncio.to_thread(folder.is_dir) else Path.cwd()
        try:
            made = await self._engine.create(here)
        except InvalidRequest as error:
            raise QuarterdeckError("It was not forked", why=error.what) from error
        begin = "This is an earlier conversation, imported from another machine. Read it, then wait for my next message."
        await self._engine.save_draft(made.id, f"{begin}\n\n{safe.copyable(text)}")
        return made.id


def _listed(title: str, found: list[Difference]) -> str:
    lines = [f"  {one.thread_id or one.rollout}\n    {one.why}" for one in found]
    return "\n".join([title, *lines]) if lines else ""
