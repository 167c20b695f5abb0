"""A request that this version cannot answer: shown whole, and left for another client."""

from __future__ import annotations

from core.agent.requests import OtherRequest, ToolRequest
from tui.prompts import lines
from tui.prompts.choices import INTERRUPT, LATER, Offer
from tui.prompts.lines import Judged
from tui.prompts.prompt import Prompt


class OtherPrompt(Prompt[OtherRequest | ToolRequest]):
    heading = "Codex asks something that this version cannot answer"

    def judge(self) -> Judged:
        return lines.judged(lines.of_other(self.request))

    def offers(self) -> tuple[Offer, ...]:
        return (INTERRUPT, LATER)
