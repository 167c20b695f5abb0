"""What lists show of an open conversation, kept in the store while it changes."""

from __future__ import annotations

import asyncio
import logging

from core.conversation.attachment import Attachment
from core.conversation.ports import Catalog
from core.conversation.runtime import ConversationRuntime
from core.conversation.switching import Switching
from core.errors import StoreError
from core.thread.state import Status

log = logging.getLogger(__name__)


class ListEntry:
    """Its state, its switches, and that Codex has a rollout. Owns the task that writes; `close` ends it."""

    def __init__(
        self, runtime: ConversationRuntime, attachment: Attachment, switching: Switching, catalog: Catalog
    ) -> None:
        self._runtime = runtime
        self._attachment = attachment
        self._switching = switching
        self._catalog = catalog
        self._noted: Status | None = None
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"note-{self._runtime.conversation_id}")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def changed(self) -> None:
        """Look again soon. Never waits."""
        self._changed.set()

    async def _run(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                await self._note()
            except StoreError:
                log.exception("the list entry of %s was not updated", self._runtime.conversation_id)

    async def _note(self) -> None:
        job = self._runtime.thread.state.job
        if job is not None and job.seen:
            await self._attachment.materialise()
        await self._switching.save()
        status = self._runtime.state().status
        if status is not self._noted:
            await self._catalog.note(self._runtime.conversation_id, status.value)
            self._noted = status
