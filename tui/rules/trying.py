"""A command tried out on the rules: which of them would decide it, and why."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from core.errors import QuarterdeckError
from tui.rules.words import decision_words
from tui.transcript import safe
from tui.widgets.key_chips import Chip, TellsKeys
from tui.widgets.text_line import TextLine

if TYPE_CHECKING:
    from core.rulebook import Rulebook


class TryLine(TellsKeys, Vertical):
    """Where it is written, with the answer below. ↑ and ↓ try it under another profile. Nothing is decided."""

    class Answered(Message):
        """`rule_id` is the rule that would decide."""

        def __init__(self, rule_id: int) -> None:
            super().__init__()
            self.rule_id = rule_id

    def __init__(self, rules: Rulebook) -> None:
        super().__init__()
        self.folder = Path.home()
        self._rules = rules
        self._profile = rules.default_profile
        self._line = TextLine(placeholder="Type a command: which rule decides, and why", id="rules-try")
        self._answer = Static(id="rules-answer", markup=False)

    def compose(self) -> ComposeResult:
        yield self._line
        yield self._answer

    def on_mount(self) -> None:
        self._answer.display = False

    def enter(self) -> None:
        self._line.focus()

    def key_chips(self) -> Iterable[Chip]:
        if self._line.value.strip():
            yield Chip("down", "↑↓", "Another profile")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.refresh_bindings()
        self._try_soon()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()

    def on_key(self, event: events.Key) -> None:
        if event.key in ("up", "down"):
            event.stop()
            names = [str(profile.id) for profile in self._rules.profiles]
            step = 1 if event.key == "down" else -1
            self._profile = names[(names.index(self._profile) + step) % len(names)]
            self._try_soon()

    def _try_soon(self) -> None:
        self.run_worker(self._try, group="try", exclusive=True)

    async def _try(self) -> None:
        command = self._line.value
        self._answer.display = bool(command.strip())
        if not command.strip():
            return
        try:
            decision = await self._rules.test(command, self.folder, self._profile)
        except QuarterdeckError as error:
            self._answer.update(Content(safe.line(str(error))))
            return
        where = Content.styled(
            f"  in {safe.line(str(self.folder))} as {self._profile} (↑↓ another)", "$text-muted"
        )
        self._answer.update(Content(decision_words(decision)) + where)
        if decision.rules:
            self.post_message(self.Answered(decision.rules[0]))
