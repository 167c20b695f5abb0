"""Running one call of a tool to its end, whatever the tool does."""

from __future__ import annotations

import asyncio
import logging

from core.agent.requests import ToolResult
from core.errors import QuarterdeckError
from core.tools.toolset import Arguments, Progress, Tool, ToolContext

log = logging.getLogger(__name__)

RESULT_AT_MOST = 200_000
PROGRESS_AT_MOST = 4_000
"""Characters."""

END_SECONDS = 5.0
"""How long a call that is cancelled has to end before it is left to itself."""

_left: set[asyncio.Task[str]] = set()
"""Calls that did not let themselves be cancelled; the loop keeps only weak references to tasks."""


async def run_tool(tool: Tool, context: ToolContext, arguments: Arguments) -> ToolResult:
    """The call's result. What goes wrong in it is a failed result; only our own cancellation raises.

    The call has a task of its own, so that one that cancels itself is told from one that we cancel.
    """
    progress = _OpenProgress(context.progress)
    context = ToolContext(context.conversation_id, context.workspace, progress)
    task = asyncio.create_task(_call(tool, context, arguments), name=f"call of {tool.name}")
    try:
        await asyncio.wait({task}, timeout=tool.seconds)
        if task.done():
            return _outcome(tool, task)
    finally:
        progress.end()
        if not task.done():
            await _end(tool, task)
    return failed(f"{tool.name} did not finish in {tool.seconds:g} s and was stopped.")


def failed(text: str) -> ToolResult:
    return ToolResult(success=False, text=_bounded(text, RESULT_AT_MOST))


async def _call(tool: Tool, context: ToolContext, arguments: Arguments) -> str:
    try:
        return await tool.run(context, arguments)
    except SystemExit as error:
        # It would end the console: out of a task it goes through the event loop.
        raise RuntimeError(f"it tried to exit with {error.code}") from error


async def _end(tool: Tool, task: asyncio.Task[str]) -> None:
    _left.add(task)
    task.add_done_callback(_left.discard)
    task.cancel()
    await asyncio.wait({task}, timeout=END_SECONDS)
    if not task.done():
        log.error("a call of %s does not end though it was cancelled", tool.name)


def _outcome(tool: Tool, task: asyncio.Task[str]) -> ToolResult:
    if task.cancelled():
        return failed(f"{tool.name} was cancelled.")
    error = task.exception()
    if isinstance(error, QuarterdeckError):
        return failed(str(error))
    if error is not None:
        return failed(f"{tool.name} failed: {type(error).__name__}: {error}")
    text = task.result()
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - others' code may be untyped
        return failed(f"{tool.name} failed: its result is {type(text).__name__} and no text.")
    return ToolResult(success=True, text=_bounded(text, RESULT_AT_MOST))


def _bounded(text: str, at_most: int) -> str:
    """Text that can be encoded, and says so where it is cut."""
    if len(text) > at_most:
        text = f"{text[:at_most]}\n[cut: {at_most} of {len(text)} characters]"
    return text.encode("utf-8", "replace").decode()


class _OpenProgress:
    """Tells progress while the call runs, and nothing after it."""

    def __init__(self, tell: Progress) -> None:
        self._tell = tell
        self._open = True

    async def __call__(self, text: str) -> None:
        if self._open:
            await self._tell(_bounded(text, PROGRESS_AT_MOST))

    def end(self) -> None:
        self._open = False
