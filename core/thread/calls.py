"""The commands on tool calls that were recorded: start one of ours, take progress and returns."""

from __future__ import annotations

from core.errors import TransitionError, UnknownCall
from core.thread import log
from core.thread.boxes import TOOL_MESSAGE, TOOL_RETURN, MessageMeta, ResultMeta, ToolCallId, draft
from core.thread.recorder import Recorder
from core.thread.thread import Call, Thread


class Calls:
    """Part of `ConversationState`. A return is placed at once: Codex has it already."""

    def __init__(self, thread: Thread, recorder: Recorder) -> None:
        self._thread = thread
        self._recorder = recorder

    def launch(self, call: ToolCallId) -> None:
        """A call of ours is about to start. Raises UnknownCall, or TransitionError where it was started before."""
        found = self._found(call)
        if found.launched or found.result is not None:
            raise TransitionError(f"Tool call {call} is not started again", why="it was started before")
        self._recorder.event(log.Launched(call=call))

    def accept_message(self, call: ToolCallId, contents: str) -> None:
        """Progress of a call. Raises UnknownCall."""
        self._found(call)
        self._recorder.place(draft(TOOL_MESSAGE, contents, MessageMeta(tool_call_id=call)))

    def accept_return(
        self,
        call: ToolCallId,
        success: bool,
        contents: str,
        metadata_type: str = "",
        metadata_contents: str = "",
    ) -> bool:
        """The end of a call; False (and nothing changed) where it returned before. Raises UnknownCall."""
        if self._found(call).result is not None:
            return False
        meta = ResultMeta(
            tool_call_id=call,
            success=success,
            metadata_type=metadata_type,
            metadata_contents=metadata_contents,
        )
        self._recorder.place(draft(TOOL_RETURN, contents, meta))
        return True

    def _found(self, call: ToolCallId) -> Call:
        found = self._thread.calls.get(call)
        if found is None:
            raise UnknownCall(f"There is no tool call {call}")
        return found
