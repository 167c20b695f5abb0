"""Answering Codex's calls of our own tools: recorded, then run once, then answered once."""

from __future__ import annotations

import asyncio
import logging

from core.agent.items import Status, ToolCall
from core.agent.port import Agent
from core.agent.requests import ToolRequest, ToolResult
from core.conversation.feed import Feed, Told
from core.conversation.runtime import ConversationRuntime
from core.errors import CodexError, TransitionError
from core.tools.running import failed

log = logging.getLogger(__name__)

UNKNOWN_OUTCOME = "The outcome is unknown: Quarterdeck stopped while this call ran. It was not run again."


class ToolCalls:
    """Owns a task for each call that runs; `close` ends them."""

    def __init__(self, runtime: ConversationRuntime, agent: Agent, feed: Feed) -> None:
        self._runtime = runtime
        self._agent = agent
        self._feed = feed
        self._tasks: dict[asyncio.Task[None], str] = {}

    def hear(self, request: ToolRequest) -> None:
        """Take a call. Never waits."""
        task = asyncio.create_task(self._answer(request), name=f"tool-{request.tool}")
        self._tasks[task] = request.turn_id or ""
        task.add_done_callback(lambda done: self._ended(done, request))

    def end_turn(self, turn_id: str) -> None:
        """The turn is over: nobody waits for its calls any more. Never waits."""
        for task, turn in tuple(self._tasks.items()):
            if turn == turn_id:
                task.cancel()

    async def close(self) -> None:
        """Cancel what runs: each such call is recorded as launched, and is never launched again."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None], request: ToolRequest) -> None:
        self._tasks.pop(task, None)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("the result of %s did not reach Codex", request.tool, exc_info=error)
            self._tell(f"The result of {request.tool} did not reach Codex: {error}")

    def _tell(self, text: str) -> None:
        self._feed.tell(Told("error", text, self._runtime.conversation_id))

    async def _answer(self, request: ToolRequest) -> None:
        try:
            result = await self._run(request)
        except Exception as error:
            # Whatever it was, Codex waits for a result.
            log.exception("a call of %s could not be recorded", request.tool)
            text = f"{request.tool} was not run, as its call could not be recorded: {error}"
            self._tell(text)
            result = failed(text)
        try:
            await self._agent.answer(request.key, result)
        except CodexError as error:
            log.warning("the result of %s did not reach Codex: %s", request.tool, error)

    async def _run(self, request: ToolRequest) -> ToolResult:
        """Raises StoreError where it cannot be recorded: then it did not run."""
        await self._runtime.drained()
        call = self._runtime.items.call_of(request.item_id)
        if call is None:
            item = ToolCall(
                id=request.item_id, tool=request.tool, arguments=request.arguments, status=Status.RUNNING
            )
            async with self._runtime.turnstile:
                await self._runtime.item_started(item, request.turn_id or "")
            call = self._runtime.items.call_of(request.item_id)
        if call is None:
            return ToolResult(success=False, text=UNKNOWN_OUTCOME)
        try:
            self._runtime.thread.state.calls.launch(call)
        except TransitionError:
            return ToolResult(success=False, text=UNKNOWN_OUTCOME)
        await self._runtime.thread.checkpoint()

        async def progress(text: str) -> None:
            self._runtime.thread.state.calls.accept_message(call, text)
            await self._runtime.publish()

        return await self._runtime.thread.actions.launch(request.tool, request.arguments, progress)
