"""A call of a tool of ours that the profile or a rule says to ask about."""

from __future__ import annotations

from core.agent.requests import ToolRequest
from tui.prompts import lines
from tui.prompts.choices import Offer, offers_of
from tui.prompts.lines import Judged
from tui.prompts.prompt import Prompt


class ToolPrompt(Prompt[ToolRequest]):
    heading = "Codex wants to use a tool"

    def judge(self) -> Judged:
        return lines.judged(lines.of_tool(self.request))

    def offers(self) -> tuple[Offer, ...]:
        return offers_of(self.request.choices)

    def ruled(self) -> bool:
        return True
