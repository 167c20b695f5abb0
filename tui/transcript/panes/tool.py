"""A call of an MCP tool or of a dynamic tool: its arguments, what it said meanwhile, its result."""

from __future__ import annotations

from core.agent.items import Status, ToolCall
from tui.transcript.entries import Output
from tui.transcript.panes import Drawn, frames, output, question, values, words
from tui.transcript.reading import Called
from tui.transcript.rows import Run, Runs, Styler

FOLDED_ARGUMENTS = 3
"""Rows that the arguments may take while folded."""


def draw(called: Called, width: int, styler: Styler, folded: bool | None) -> Drawn:
    call = called.call
    if call.server is None and question.is_question(call):
        return question.draw(called, width, styler, folded)
    box = frames.Box(width, styler, _title(call), words.state(call.status, duration_ms=call.duration_ms))
    arguments = "" if call.arguments in ("", "{}") else _arguments(call.arguments)
    result = Output(called.result)
    long = len(arguments) > box.inside.width * FOLDED_ARGUMENTS
    foldable = long or output.foldable(result)
    folded = foldable and folded is not False
    if arguments:
        if folded or not foldable:
            box.inside.text(
                [(arguments, ("code-name",))], limit=box.inside.width * FOLDED_ARGUMENTS, hard=True
            )
        else:
            for line in values.indented(call.arguments).split("\n"):
                box.inside.text([(line, ("code-name",))], hard=True)
    frames.notes(called.notes, box.inside)
    if result and arguments:
        box.divide()
    hidden = output.draw(result, box.inside, folded=folded)
    if not result and call.status is Status.DONE:
        box.inside.rule([("(no result)", ("muted",))])
    hint: Runs = ()
    if foldable:
        more: Runs = (("▸ show all", ("accent", frames.FOLD_TAP)),)
        hint = frames.fold_hint(hidden, "lines", folded=folded) if hidden or not folded else more
    box.close(right=hint)
    return box.canvas, folded if foldable else None


def _title(call: ToolCall) -> Runs:
    name: list[Run] = [("◇ ", ("accent",))]
    if call.server is not None:
        name += [(call.server, ("path",)), (" › ", ("muted",))]
    return (*name, (call.tool, ("title",)))


def _arguments(text: str) -> str:
    """JSON arguments on one line as `name: value`; other text as it is."""
    arguments = values.fields(text)
    return "  ".join(f"{name}: {values.short(part)}" for name, part in arguments.items()) or text
