"""A question that the model asked, and what was answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.agent.items import Status, ToolCall
from tui.transcript.canvas import Canvas
from tui.transcript.panes import Drawn, frames, values, words
from tui.transcript.reading import Called
from tui.transcript.rows import Styler

TOOL = "request_user_input"

FRAME = frames.gutter("?", ("accent", "strong"))


@dataclass(frozen=True, slots=True)
class _Asked:
    id: str
    header: str
    text: str
    options: tuple[str, ...]
    answers: tuple[str, ...]


def is_question(call: ToolCall) -> bool:
    return call.tool == TOOL and next(_asked(call.arguments, ""), None) is not None


def draw(called: Called, width: int, styler: Styler, folded: bool | None) -> Drawn:
    canvas = Canvas(width, styler, FRAME)
    for index, asked in enumerate(_asked(called.call.arguments, called.result)):
        if index:
            canvas.text([])
        if asked.header:
            canvas.text([(asked.header, ("title",))])
        canvas.text([(asked.text, ())])
        for option in asked.options:
            chosen = option in asked.answers
            canvas.text(
                [("◉ " if chosen else "○ ", ("accent",) if chosen else ("muted",)), (option, ())], hang=2
            )
        for answer in asked.answers:
            if answer not in asked.options:
                canvas.text([("→ ", ("accent",)), (answer, ("strong",))], hang=2)
    if called.call.status is not Status.DONE:
        canvas.rule(words.state(called.call.status, said="waits for an answer" if _open(called.call) else ""))
    return canvas, None


def _open(call: ToolCall) -> bool:
    return call.status is Status.RUNNING


def _asked(arguments: str, result: str) -> Iterator[_Asked]:
    """The questions of a call with their answers; none where the JSON is of another shape."""
    answers = values.fields(values.fields(result).get("answers"))
    questions = values.fields(arguments).get("questions")
    for part in questions if isinstance(questions, list) else ():
        asked = values.fields(part)
        name = str(asked.get("id", ""))
        options = asked.get("options")
        yield _Asked(
            name,
            str(asked.get("header", "")),
            str(asked.get("question", "")),
            tuple(_label(option) for option in options) if isinstance(options, list) else (),
            _answers(answers.get(name)),
        )


def _label(option: object) -> str:
    return str(option.get("label", "")) if isinstance(option, dict) else str(option)


def _answers(value: object) -> tuple[str, ...]:
    given = value.get("answers") if isinstance(value, dict) else value
    return tuple(str(answer) for answer in given) if isinstance(given, list) else ()
