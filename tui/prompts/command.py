"""A command that Codex wants to run, or keys that it wants to type into one."""

from __future__ import annotations

from core.agent.requests import CommandApproval
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
        rules = (Line(rule, "text", f"{key} ") for key, rule in rules_among(self.request.choices))
        asked = self.notification
        return lines.judged(
            (
                *lines.of_cautions(asked.cautions),
                *lines.of_command(self.request, asked.sandbox),
                *rules,
            )
        )

    def offers(self) -> tuple[Offer, ...]:
        return offers_of(self.request.choices)

    def ruled(self) -> bool:
        return not self.request.stdin
