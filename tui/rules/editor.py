"""Writes a rule: a new one, or one that there is in other words."""

from __future__ import annotations

from collections.abc import Sequence
from time import time
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from core.access.patterns import CommandPattern, HostPattern, PathPattern, Pattern, ToolPattern
from core.access.policy import Verdict
from core.access.rules import Reach, Rule, RuleDraft, Scope
from core.access.times import WRITTEN, ahead
from core.errors import InvalidRequest
from tui.rules.words import VERDICTS, scope_words
from tui.screens.dialog import CLOSE, Dialog
from tui.transcript import safe
from tui.widgets.cycle import Cycle
from tui.widgets.moments import to_the_minute
from tui.widgets.text_line import TextLine

_KINDS: dict[type[Any], tuple[str, str]] = {
    CommandPattern: ("commands", "words as in a shell, * for any one word, … or ... at the end for any more"),
    PathPattern: ("file changes", "a file, or a folder and all in it: /the/whole/path"),
    HostPattern: ("a host", "its name, or *.example.com for all below it"),
    ToolPattern: ("a tool of Quarterdeck", "its whole name"),
}
_MAKERS: dict[type[Any], Any] = {
    CommandPattern: CommandPattern.parse,
    PathPattern: PathPattern,
    HostPattern: HostPattern,
    ToolPattern: ToolPattern,
}


class RuleEditor(Dialog[RuleDraft | None]):
    """Closed with the rule as it is to be, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "keep", "Keep it", priority=True),
        Binding("escape", "dismiss(None)", "Back", priority=True, id=CLOSE),
    ]
    PART = "rule_editor"
    WRITES = True
    URGENT = ("keep",)

    def __init__(self, rule: Rule | None, scopes: Sequence[Scope], titles: dict[str, str]) -> None:
        """`scopes`: what can be chosen besides the rule's own."""
        super().__init__()
        self._rule = rule
        own = (rule.scope,) if rule is not None else ()
        self._scopes = tuple(dict.fromkeys((*own, *scopes, Scope(Reach.EVERYWHERE))))
        self._titles = titles

    def compose(self) -> ComposeResult:
        rule = self._rule
        kind = type(rule.pattern) if rule is not None else CommandPattern
        verdict = rule.verdict if rule is not None else Verdict.ALLOW
        with Vertical(id="rule-editor") as box:
            box.border_title = f"Rule {rule.id}" if rule is not None else "A new rule"
            verdicts = [(one, words) for one, words in VERDICTS.items()]
            yield _field("verdict", Cycle(verdicts, verdict, widget_id="rule-verdict"))
            kinds = [(one, words) for one, (words, _) in _KINDS.items()]
            yield _field("of", Cycle(kinds, kind, widget_id="rule-kind"))
            yield _field("what", TextLine(str(rule.pattern) if rule is not None else "", id="rule-what"))
            yield Static(id="rule-what-hint", markup=False)
            scopes = [(scope, scope_words(scope, self._titles)) for scope in self._scopes]
            yield _field("holds", Cycle(scopes, self._scopes[0], widget_id="rule-where"))
            yield _field("until", TextLine(self._until(), placeholder="for good", id="rule-until"))
            yield _field("note", TextLine(rule.note if rule is not None else "", id="rule-note"))
            yield Static(id="rule-editor-said", markup=False)

    def key_words(self, action: str) -> str | None:
        match action:
            case "submit" | "focus_next":
                return "Next field"
            case "step(-1)" | "step(1)":
                return "Another"
            case _:
                return super().key_words(action)

    def on_mount(self) -> None:
        self._hint()
        self.query_one("#rule-what", Input).focus()

    def _until(self) -> str:
        at = self._rule.expires_at_ms if self._rule is not None else None
        return to_the_minute(at) if at is not None else ""

    def on_cycle_changed(self) -> None:
        self._hint()

    def _hint(self) -> None:
        words = _KINDS[self.query_one("#rule-kind", Cycle).value][1]
        self.query_one("#rule-what-hint", Static).update(Content(words))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter goes to the next field; it keeps nothing."""
        event.stop()
        self.focus_next()

    def action_keep(self) -> None:
        said = self.query_one("#rule-editor-said", Static)
        try:
            draft = self._draft()
        except InvalidRequest as error:
            said.update(Content(safe.line(str(error))))
            said.add_class("-problem")
            return
        self.dismiss(draft)

    def _draft(self) -> RuleDraft:
        """Raises InvalidRequest."""
        return RuleDraft(
            verdict=self.query_one("#rule-verdict", Cycle).value,
            pattern=self._pattern(),
            scope=self.query_one("#rule-where", Cycle).value,
            expires_at_ms=self._expires(),
            enabled=self._rule.enabled if self._rule is not None else True,
            note=self.query_one("#rule-note", Input).value.strip(),
        )

    def _pattern(self) -> Pattern:
        written = self.query_one("#rule-what", Input).value.strip()
        return _MAKERS[self.query_one("#rule-kind", Cycle).value](written)

    def _expires(self) -> int | None:
        """What was not touched stays to the millisecond."""
        written = self.query_one("#rule-until", Input).value.strip()
        if written == self._until():
            return self._rule.expires_at_ms if self._rule is not None else None
        if not written:
            return None
        now_ms = int(time() * 1000)
        at = ahead(written, now_ms)
        if at <= now_ms:
            raise InvalidRequest(f"{written} is over already", todo=f"Write a later time: {WRITTEN}.")
        return at


def _field(name: str, widget: Widget) -> Horizontal:
    return Horizontal(Static(name, classes="rule-field-name"), widget, classes="rule-field")
