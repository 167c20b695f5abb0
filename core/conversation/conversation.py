"""The conversation backend (seed 002, `CodexConversation`): what programs use of a conversation.

Each call is admitted (agent, workspace and conversation are open), checked against the store (the handle is
not stale, nothing contradicts), bounded in time, and published only if the conversation still stands.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

from core.agent.port import Agent
from core.agent.requests import Answer
from core.conversation.cleanup import clean_up
from core.conversation.feed import BoxesAdded, Feed, FeedEvent, Notification, NotificationChanged
from core.conversation.files import FileRead, read_file
from core.conversation.info import ConversationInfo
from core.conversation.live import LiveConversation
from core.conversation.notifications import NotificationCenter
from core.conversation.ports import Catalog, Knowledge, Rendered
from core.conversation.prompt_run import PromptRun
from core.conversation.prompting import Prepared, PromptRequest, PromptResponse, prepare
from core.conversation.selection import Selection
from core.conversation.structured import StructuredOutput
from core.conversation.unsettled import PERSON
from core.conversation.workspace import Choices, Workspace
from core.errors import Closed, Conflict, DeadlineElapsed, InvalidState, NotFound, QuarterdeckError
from core.rows import ConversationRow, Lifecycle
from core.thread.boxes import ASSISTANT

log = logging.getLogger(__name__)

LIFECYCLE_SECONDS = 10.0


class CodexConversation:
    """A handle on a conversation, opened at its workspace's revision."""

    def __init__(
        self,
        live: LiveConversation,
        row: ConversationRow,
        agent: Agent,
        center: NotificationCenter,
        catalog: Catalog,
        knowledge: Knowledge,
        feed: Feed,
        lifecycle_seconds: float = LIFECYCLE_SECONDS,
        prompt_seconds: float | None = None,
    ) -> None:
        """`lifecycle_seconds` bounds abort and close; `prompt_seconds` a prompt that gives no time itself."""
        self.live = live
        self._row = row
        self._agent = agent
        self._center = center
        self._catalog = catalog
        self._knowledge = knowledge
        self._feed = feed
        self._lifecycle_seconds = lifecycle_seconds
        self._runs = PromptRun(live, catalog, feed, self._abort)
        self._prompt_seconds = prompt_seconds

    @property
    def id(self) -> str:
        return self.live.id

    async def info(self) -> ConversationInfo:
        """Raises Closed, Conflict, InvalidState."""
        async with self.live.level.admit() as admission:
            await self._current()
            return admission.publish(self.live.info)

    async def prompt(self, request: PromptRequest) -> PromptResponse:
        """Ask, and give the answer that the prompt's own turn ends with.

        Raises Closed, Conflict, InvalidState, InvalidRequest, NotFound, Unauthorized, DeadlineElapsed (the
        late turn is interrupted and the conversation stays usable), CodexError where the turn fails,
        AnswerMismatch.
        """
        answer = ""
        async with self.live.level.admit() as admission:
            deadline = self._deadline(request)
            prepared = await self._prepare_in_time(request, deadline)
            async with aclosing(self._runs.events(request, prepared, deadline)) as events:
                async for event in events:
                    if isinstance(event, BoxesAdded):
                        texts = (box.contents for box in event.boxes[::-1] if box.box_type == ASSISTANT)
                        answer = next(texts, answer)
            value = prepared.structured.parse(answer) if prepared.structured is not None else None
            return admission.publish(PromptResponse(answer, value))

    async def prompt_stream(self, request: PromptRequest) -> AsyncIterator[FeedEvent]:
        """Ask, and give all that happens here until the prompt's turn is over.

        May be dropped at any point, and the turn goes on; a slow reader holds up nobody. Raises as `prompt`.
        """
        deadline = self._deadline(request)
        async with self.live.level.admit() as admission:
            prepared = admission.publish(await self._prepare_in_time(request, deadline))
        async with aclosing(self._runs.events(request, prepared, deadline)) as events:
            async for event in events:
                yield event

    async def abort(self) -> None:
        """Interrupt and wait for the end of the turn. Raises DeadlineElapsed; the conversation stays usable."""
        async with self.live.level.admit() as admission:
            await self._current()
            admission.publish(await self._abort())

    async def read_file(self, path: Path) -> FileRead:
        """A file of the workspace, as Codex reads it; `path` is relative.

        Raises Unsupported without full access or for a file that is too large, InvalidRequest, NotFound,
        CodexError.
        """
        async with self.live.level.admit() as admission:
            row = await self._current()
            workspace = await self._workspace(row.workspace_id)
            return admission.publish(await read_file(self._agent, workspace, path))

    async def notification_stream(self) -> AsyncIterator[Notification]:
        """What the conversation waits on a person for: what is pending, then what comes and changes.

        Raises Closed.
        """
        events: asyncio.Queue[Notification] = asyncio.Queue()

        def hear(event: FeedEvent) -> None:
            if isinstance(event, NotificationChanged) and event.notification.conversation_id == self.id:
                events.put_nowait(event.notification)

        self.live.level.ensure_open()
        stop = self._feed.listen(hear)
        try:
            for notification in self._center.pending(self.id):
                yield notification
            while True:
                yield await events.get()
        finally:
            stop()

    async def resolve_notification(self, notification_id: int, answer: Answer, shown_hash: str) -> None:
        """Decide as a person. Raises NotFound, Conflict saying who decided, StoreError, CodexError."""
        async with self.live.level.admit() as admission:
            await self._current()
            decided = await self._center.decide(notification_id, answer, PERSON, shown_hash)
            admission.publish(decided)

    async def close(self) -> None:
        """Close for good: drain, abort, end tool calls, close in the store, then clean up at Codex.

        What cannot be cleaned up in time is done at the next start. Raises Closed where it was deleted or
        closed meanwhile, Conflict, DeadlineElapsed, StoreError: except for Closed it is as usable as before then,
        and closing may be tried again.
        """
        deadline = asyncio.get_running_loop().time() + self._lifecycle_seconds
        async with self.live.level.closing(deadline):
            try:
                async with asyncio.timeout_at(deadline):
                    await self._current(closing=True)
                    await self._abort()
                    await self.live.cancel_tools()
            except NotFound as error:
                raise Closed("The conversation was deleted while it was being closed") from error
            except TimeoutError as error:
                raise DeadlineElapsed("The conversation was not closed in time", todo="Try again.") from error
            # Not cut off by the time: whether it is closed would not be known.
            await self._catalog.close_conversation(self.id)
        thread_id = self.live.thread_id
        await self.live.detach()
        try:
            async with asyncio.timeout(self._lifecycle_seconds):
                await clean_up(self.id, thread_id, self._agent, self._catalog, self._knowledge)
        except (TimeoutError, QuarterdeckError) as error:
            log.warning("the cleanup of %s is left for the next start: %s", self.id, error)

    async def _current(self, closing: bool = False) -> ConversationRow:
        """The row, if this handle still speaks of it. Raises Closed, Conflict, InvalidState, NotFound."""
        if not closing:
            self.live.level.ensure_open()
        workspace = await self._catalog.workspace(self._row.workspace_id)
        if workspace.revision != self._row.workspace_revision:
            raise Conflict(
                "This handle is stale",
                why=f"the settings of its workspace changed (revision {workspace.revision})",
                todo="Open the conversation again.",
            )
        row = await self._catalog.conversation(self.id)
        if row.lifecycle is not Lifecycle.OPEN:
            raise Closed("This conversation is closed")
        if row.workspace_revision != workspace.revision:
            raise InvalidState("The conversation's revision contradicts its workspace's")
        if row.thread_id != self.live.thread_id:
            raise InvalidState("The conversation was bound to another thread while its handle was live")
        return row

    async def _workspace(self, workspace_id: str) -> Workspace:
        row = await self._catalog.workspace(workspace_id)
        return Workspace.parse(row.id, row.path, row.revision, row.defaults, row.policy)

    def _deadline(self, request: PromptRequest) -> float | None:
        """In the event loop's time, for preflight and run together."""
        seconds = request.seconds if request.seconds is not None else self._prompt_seconds
        return None if seconds is None else asyncio.get_running_loop().time() + seconds

    async def _prepare_in_time(self, request: PromptRequest, deadline: float | None) -> Prepared:
        try:
            async with asyncio.timeout_at(deadline):
                return await self._prepare(request)
        except TimeoutError as error:
            raise DeadlineElapsed("The time for the prompt ran out before it was sent") from error

    async def _prepare(self, request: PromptRequest) -> Prepared:
        request.validate()
        structured = StructuredOutput.compile(request.shape) if request.shape is not None else None
        row = await self._current()
        workspace = await self._workspace(row.workspace_id)

        async def render(text: str) -> Rendered:
            return await self._knowledge.render_prompt(workspace.id, self.id, text)

        previous = Selection.model_validate_json(row.selection) if row.selection else None
        defaults = Choices.parse(row.defaults)
        return await prepare(request, structured, defaults, workspace, previous, self._agent, render)

    async def _abort(self) -> None:
        try:
            async with asyncio.timeout(self._lifecycle_seconds):
                await self.live.abort()
        except TimeoutError as error:
            raise DeadlineElapsed(
                "The turn did not end in time", why=f"{self._lifecycle_seconds:.0f} s were given"
            ) from error
