"""Rights that Codex asks for; a part of them can be granted."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget

from core.agent.requests import Answer, Grant, Option, PermissionsApproval
from tui.prompts import lines
from tui.prompts.choices import INTERRUPT, LATER, Effect, Offer, saying
from tui.prompts.incomplete import Incomplete
from tui.prompts.lines import Judged
from tui.prompts.picker import Picker
from tui.prompts.prompt import Prompt


class PermissionsPrompt(Prompt[PermissionsApproval]):
    """What is granted is ticked by the person, one by one."""

    heading = "Codex asks for permissions"
    filled_in = True

    def judge(self) -> Judged:
        return lines.judged(
            lines.of_permissions(self.request), [right.label for right in self.request.rights]
        )

    def fields(self) -> Iterable[Widget]:
        rights = self.request.rights
        yield Picker([Option(label=right.label) for right in rights], several=True)

    def offers(self) -> tuple[Offer, ...]:
        return (
            Offer("y", "Grant the ticked for this turn", Effect.ACCEPT, keep="turn"),
            Offer("a", "… for this session", Effect.ACCEPT, keep="session"),
            Offer("n", "Grant none", Effect.REFUSE, Grant()),
            saying(Grant()),
            INTERRUPT,
            LATER,
        )

    def answer(self, offer: Offer) -> Answer:
        if offer.answer is not None:
            return offer.answer
        picker = self.query_one(Picker)
        rights = tuple(self.request.rights[index] for index in picker.picked)
        if not rights:
            raise Incomplete("Tick what is to be granted first (Space); n grants none", picker)
        return Grant(rights=rights, scope="session" if offer.keep == "session" else "turn")
