"""A patch that Codex wants to apply."""

from __future__ import annotations

from core.agent.requests import FileApproval
from tui.prompts import lines
from tui.prompts.choices import Offer, offers_of
from tui.prompts.lines import Judged
from tui.prompts.prompt import Prompt


class FilePrompt(Prompt[FileApproval]):
    heading = "Codex wants to change files"

    def judge(self) -> Judged:
        return lines.judged(lines.of_files(self.request), lacks=lines.lacking(self.request))

    def offers(self) -> tuple[Offer, ...]:
        return offers_of(self.request.choices)

    def ruled(self) -> bool:
        return True
