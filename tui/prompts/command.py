"""A command that Codex wants to run, or keys that it wants to type into one."""

from __future__ import annotations

from collections.abc import Iterator

from core.agent.requests import Choice, CommandApproval
from core.conversation.feed import Notification
from tui.prompts import lines
from tui.prompts.choices import Offer, offers_of, rules_among
from tui.prompts.lines import Judged, Line
from tui.prompts.prompt import Prompt


class CommandPrompt(Prompt[CommandApproval]):
    heading = "Codex wants to run a command"

    def __init__(self, notification: Notification) -> None:
        super().__init__(notification)
        if self.request.stdin:
            self.heading = "Codex wants to type into a running command"

    def judge(self) -> Judged:
        rules = (Line(rule, "text", f"{key} ") for key, rule in rules_among(self._choices_shown))
        asked = self.notification
        return lines.judged(
            (
                *lines.of_cautions(asked.cautions),
                *lines.of_command(self.request, asked.sandbox),
                *rules,
                *self._never_always(),
            )
        )

    def offers(self) -> tuple[Offer, ...]:
        return offers_of(self._choices_shown)

    def ruled(self) -> bool:
        return not self.request.stdin and not self.notification.unsure

    @property
    def _choices_shown(self) -> tuple[Choice, ...]:
        """What the request offers, without a rule of Codex's own where no rule can tell what would run: the next
        command that begins like this one would run with nobody asked.
        """
        choices = self.request.choices
        if not self.notification.unsure:
            return choices
        return tuple(choice for choice in choices if choice.verb != "accept_rule")

    def _never_always(self) -> Iterator[Line]:
        """Why a rule of Codex's own is left out, where it is."""
        if len(self._choices_shown) < len(self.request.choices):
            yield Line(f"not offered, though Codex would: {self.notification.unsure}", "muted", "always ")
