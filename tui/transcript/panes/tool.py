"""A call of an MCP tool or of a dynamic tool: its arguments, what it said meanwhile, its result."""

from __future__ import annotations

from core.agent.items import Status, ToolCall
from tui.transcript import safe
from tui.transcript.entries import Output
from tui.transcript.panes import Drawn, frames, output, question, values, words
from tui.transcript.reading import Called
from tui.transcript.rows import Run, Runs, Styler

FOLDED_ARGUMENTS = 3
"""Rows that the arguments may take while folded."""

METADATA_LINES = 400


def draw(called: Called, width: int, styler: Styler, folded: bool | None) -> Drawn:
    call = called.call
    if call.server is None and question.is_question(call):
        return question.draw(called, width, styler, folded)
    state = words.asked(call.status) if called.asked else ()
    state = state or words.state(call.status, duration_ms=call.duration_ms)
    box = frames.Box(width, styler, _title(call), state)
    arguments = "" if call.arguments in ("", "{}") else _arguments(call.arguments)
    result = Output(called.result)
    long = len(arguments) > box.inside.width * FOLDED_ARGUMENTS
    foldable = long or output.foldable(result, box.inside.width) or called.metadata is not None
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
    if called.metadata is not None and not folded:
        _metadata(called.metadata[1], box)
    hint = frames.hint(hidden, "lines", folded=folded) if foldable else ()
    kind: Runs = ((f"with {called.metadata[0]}", ("muted",)),) if called.metadata is not None else ()
    box.close(kind, hint)
    return box.canvas, folded if foldable else None


def _title(call: ToolCall) -> Runs:
    name: list[Run] = [("◇ ", ("accent",))]
    if call.server is not None:
        name += [(call.server, ("path",)), (" › ", ("muted",))]
    return (*name, (call.tool, ("title",)))


def _metadata(contents: str, box: frames.Box) -> None:
    """What came with the result, which the model does not see."""
    box.divide()
    for line in safe.unix_lines(values.indented(contents)).split("\n")[:METADATA_LINES]:
        box.inside.text([(line, ("code-name",))], hard=True)


def _arguments(text: str) -> str:
    """JSON arguments on one line as `name: value`; other text as it is."""
    arguments = values.fields(text)
    return "  ".join(f"{name}: {values.short(part)}" for name, part in arguments.items()) or text
