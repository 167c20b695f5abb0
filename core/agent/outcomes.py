"""What became of an action, in the words of the ledger. Pure."""

from __future__ import annotations

from core.agent.items import CommandRun, FileChange, Item, Status, SubAgentCall, ToolCall

CUT = "cut off: nobody saw how it ended"


def outcome_of(item: Item) -> str | None:
    """`exit 0`, `applied`, `failed`…; None for what is no action or still runs."""
    match item:
        case CommandRun(status=Status.RUNNING) | FileChange(status=Status.RUNNING):
            return None
        case CommandRun(status=Status.CUT) | FileChange(status=Status.CUT):
            return CUT
        case CommandRun(exit_code=int(code)):
            return f"exit {code}"
        case CommandRun(status=Status.DECLINED):
            return "not run"
        case FileChange(status=status):
            words = {Status.DONE: "applied", Status.DECLINED: "not applied"}
            return words.get(status, "failed")
        case ToolCall(status=status) | SubAgentCall(status=status) | CommandRun(status=status):
            words = {Status.DONE: "done", Status.FAILED: "failed", Status.CUT: CUT}
            return words.get(status)
        case _:
            return None
