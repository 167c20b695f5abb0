"""Questions that Codex asks: alternatives, an answer in the person's own words, secrets."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from core.agent.requests import Answer, Question, QuestionPart, Reply
from tui.prompts import lines
from tui.prompts.choices import INTERRUPT, LATER, Effect, Offer, saying
from tui.prompts.incomplete import Incomplete
from tui.prompts.lines import Judged, field_text
from tui.prompts.picker import Picker
from tui.prompts.prompt import Prompt
from tui.widgets.text_line import TextLine


class PartField(Vertical):
    """One question with its alternatives and a line for other words."""

    def __init__(self, part: QuestionPart) -> None:
        super().__init__(classes="field")
        self._part = part

    def compose(self) -> Iterable[Widget]:
        part = self._part
        if part.header:
            yield Static(Content(field_text(part.header)), classes="field-name")
        yield Static(Content(field_text(part.text)))
        if part.options:
            yield Picker(part.options)
        if part.other or not part.options:
            placeholder = "or in other words" if part.options else "your answer"
            yield TextLine(password=part.secret, placeholder=placeholder)

    @property
    def answers(self) -> tuple[str, ...]:
        """What was picked, then what was written."""
        picked = [self._part.options[index].label for picker in self.query(Picker) for index in picker.picked]
        written = [field.value for field in self.query(Input) if field.value.strip()]
        return (*picked, *written)

    def first(self) -> Widget | None:
        """What to look at when the answer is missing."""
        return next(iter(self.query("Picker, Input")), None)


class QuestionPrompt(Prompt[Question]):
    heading = "Codex has a question"
    filled_in = True

    def judge(self) -> Judged:
        parts = self.request.parts
        texts = [text for part in parts for text in (part.header, part.text)]
        options = [text for part in parts for one in part.options for text in (one.label, one.description)]
        return lines.judged(lines.of_question(self.request), texts + options)

    def fields(self) -> Iterable[Widget]:
        return [PartField(part) for part in self.request.parts]

    def offers(self) -> tuple[Offer, ...]:
        return (
            Offer("y", "Send the answer", Effect.ACCEPT),
            Offer("n", "Answer nothing", Effect.REFUSE, Reply(answers={})),
            saying(Reply(answers={})),
            INTERRUPT,
            LATER,
        )

    def answer(self, offer: Offer) -> Answer:
        if offer.answer is not None:
            return offer.answer
        answers: dict[str, tuple[str, ...]] = {}
        for part, field in zip(self.request.parts, self.query(PartField), strict=True):
            if not field.answers:
                raise Incomplete("Not answered yet; n answers nothing", field.first())
            answers[part.id] = field.answers
        return Reply(answers=answers)
