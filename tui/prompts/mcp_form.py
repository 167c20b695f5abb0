"""A form that an MCP server wants filled in, or its question whether a tool of it may run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from core.agent.requests import Answer, Elicited, McpForm, Option
from core.conversation.feed import Notification
from tui.prompts import lines
from tui.prompts.choices import LATER, Effect, Offer, saying
from tui.prompts.form import FormField, Value, WrongValue, fill_in, parse_form
from tui.prompts.incomplete import Incomplete
from tui.prompts.lines import Judged, Line, field_text
from tui.prompts.picker import Picker
from tui.prompts.prompt import Prompt
from tui.transcript import safe
from tui.widgets.text_line import TextLine

_KEEP = {"session": ("a", "… for this session"), "always": ("w", "… always")}


class FormFieldView(Vertical):
    """One field of the form with its title and what is asked of it."""

    def __init__(self, field: FormField) -> None:
        super().__init__(classes="field")
        self.field = field

    def compose(self) -> Iterable[Widget]:
        field = self.field
        needed = " (needed)" if field.required else ""
        name = Content.styled(field_text(field.title) + needed, "bold")
        yield Static(name + Content(f"  {field_text(field.description)}") if field.description else name)
        if field.kind == "unknown":
            yield Static(Content("This version cannot fill this in."), classes="field-hint")
        elif field.picks:
            picked = [place for place, pick in enumerate(field.picks) if pick.value in field.default]
            alternatives = [Option(label=pick.label) for pick in field.picks]
            yield Picker(alternatives, several=field.kind == "several", picked=picked)
        else:
            text = field.default if isinstance(field.default, str) else ""
            yield TextLine(safe.line(text), placeholder=safe.line(field.limits.hint))

    @property
    def value(self) -> Value:
        for picker in self.query(Picker):
            return tuple(self.field.picks[index].value for index in picker.picked)
        return next((box.value for box in self.query(Input)), "")


class FormPrompt(Prompt[McpForm]):
    heading = "An MCP server asks"
    filled_in = True

    def __init__(self, notification: Notification) -> None:
        request = notification.request
        self._form = parse_form(request.form_json) if isinstance(request, McpForm) else None
        super().__init__(notification)

    def judge(self) -> Judged:
        request = self.request
        shown = list(lines.of_form(request))
        if self._form is None:
            shown.append(Line(request.form_json, "code", "form "))
        return lines.judged(shown, self._field_texts())

    def _field_texts(self) -> Iterator[str]:
        for field in self._form.fields if self._form else ():
            yield field.title
            yield field.description
            yield from (pick.label for pick in field.picks)

    def fields(self) -> Iterable[Widget]:
        return [FormFieldView(field) for field in self._form.fields] if self._form else ()

    def offers(self) -> tuple[Offer, ...]:
        kept = [
            Offer(*_KEEP[keep], Effect.ACCEPT, keep=keep) for keep in self.request.persist if keep in _KEEP
        ]
        return (
            Offer("y", "Send" if self._form and self._form.fields else "Accept", Effect.ACCEPT),
            *kept,
            Offer("n", "Decline", Effect.REFUSE, Elicited(action="decline")),
            saying(Elicited(action="decline")),
            Offer("x", "Cancel", Effect.REFUSE, Elicited(action="cancel")),
            LATER,
        )

    def answer(self, offer: Offer) -> Answer:
        if offer.answer is not None:
            return offer.answer
        if self._form is None:
            raise Incomplete("This version cannot fill in that form")
        views = {view.field.name: view for view in self.query(FormFieldView)}
        try:
            content = fill_in(self._form, {name: view.value for name, view in views.items()})
        except WrongValue as wrong:
            view = views.get(wrong.name)
            field = next(iter(view.query("Picker, Input")), None) if view else None
            raise Incomplete(safe.line(wrong.why, 200), field) from wrong
        return Elicited(action="accept", content_json=content, persist=offer.keep or None)
