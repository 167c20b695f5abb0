"""What a person says in a conversation: accepted on disk, taken back, put in order, asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from core.agent.port import TurnOptions
from core.conversation import boxing
from core.conversation.ports import ImageStore, Knowledge, Rendered
from core.conversation.runtime import ConversationRuntime
from core.conversation.switching import Switching
from core.errors import InvalidRequest, StoreError
from core.rows import KeptImage
from core.thread.boxes import USER


class Messages:
    """Of one conversation. What is accepted here goes out by `delivery.py`."""

    def __init__(
        self,
        runtime: ConversationRuntime,
        switching: Switching,
        knowledge: Knowledge,
        images: ImageStore,
        workspace_id: str,
    ) -> None:
        self._runtime = runtime
        self._switching = switching
        self._knowledge = knowledge
        self._images = images
        self._workspace_id = workspace_id

    async def accept(
        self,
        text: str,
        key: str,
        options: TurnOptions | None,
        rendered: Rendered | None,
        *,
        queue: bool,
        attachments: Sequence[str],
        drafts: Mapping[str, str],
    ) -> None:
        """On disk when this returns, and not here at all when it raises. Arguments and errors as `LiveConversation.send`.

        Where the caller is cancelled the write decides, and what was written goes out.
        """
        _require_sendable(text, key, options)
        conversation_id = self._runtime.conversation_id
        images: Sequence[KeptImage] = ()
        if attachments and not self._runtime.thread.state.knows_key(key):
            images = await self._images.keep(conversation_id, attachments)
        if rendered is None:
            rendered = await self._knowledge.render_prompt(self._workspace_id, conversation_id, text)
        steer = not queue and options is None
        access = self._switching.access(running=steer and self._runtime.thread.state.ours)
        box = boxing.message_draft(key, text, rendered, options, steer, images)
        try:
            await self._runtime.thread.accept_user(*access, box, drafts)
            await self._runtime.publish_sometime()
        except StoreError:
            self._runtime.write_again()
            raise
        except asyncio.CancelledError:
            self._runtime.write_again(after=0)
            raise

    def first(self) -> str | None:
        """What was typed first; None before anything has its place."""
        box = next((box for box in self._runtime.thread.boxes if box.box_type == USER), None)
        return None if box is None else boxing.typed_of(box)

    async def withdraw(self, *keys: str, drafts: Mapping[str, str]) -> list[str]:
        """Take waiting messages back, all or none, and give their texts; `drafts` are saved in the same write.

        Raises TransitionError once one is on its way, StoreError.
        """
        boxes = self._runtime.thread.withdraw(*keys, drafts=drafts)
        await self._runtime.publish()
        return [boxing.typed_of(box) for box in boxes]

    async def reorder(self, keys: Sequence[str]) -> None:
        """Put those that wait into this order. Raises InvalidRequest unless `keys` are exactly those."""
        self._runtime.thread.state.reorder(keys)
        await self._runtime.publish()

    async def restart(self) -> None:
        """Run a stalled job's input again. Raises NotStalled, NotRestartable, Unauthorized, StoreError."""
        await self._runtime.thread.restart(*self._switching.access(running=False))
        await self._runtime.publish()

    async def ask_again(self) -> None:
        """Ask Codex once more from where a stalled turn stands, with nothing said again. Raises as `restart`."""
        await self._runtime.thread.ask_again(*self._switching.access(running=False))
        await self._runtime.publish()


def _require_sendable(text: str, key: str, options: TurnOptions | None) -> None:
    """Raises InvalidRequest."""
    if not text.strip():
        raise InvalidRequest("There is nothing to send", todo="Type a message first.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidRequest("This is no text", why="it holds half a character", todo="Take that out first.")
    if not key or "." in key:
        raise InvalidRequest("A message needs a key of its own", why="it may hold no dot")
    if options is not None and (options.sandbox or options.approvals):
        raise InvalidRequest(
            "A message cannot choose its sandbox or when Codex asks",
            why="both are what the conversation is authorized for",
            todo="Switch them for the conversation first.",
        )
