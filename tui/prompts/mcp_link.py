"""A page that an MCP server wants visited. It is shown, and opened only when the person says so."""

from __future__ import annotations

from textual.message import Message

from core.agent.requests import Elicited, McpLink
from tui.browsing import is_page
from tui.prompts import lines
from tui.prompts.choices import LATER, Effect, Offer, saying
from tui.prompts.lines import Judged, Line
from tui.prompts.prompt import Prompt


class LinkPrompt(Prompt[McpLink]):
    heading = "An MCP server asks you to visit a page"

    class Opened(Message):
        """The person wants the page opened."""

        def __init__(self, url: str) -> None:
            super().__init__()
            self.url = url

    def judge(self) -> Judged:
        shown = list(lines.of_link(self.request))
        if not is_page(self.request.url):
            shown.append(Line("It is no page of the web, so it is not opened from here.", "warning", "! "))
        return lines.judged(shown)

    def offers(self) -> tuple[Offer, ...]:
        opened = (Offer("o", "Open the page", Effect.OPEN),) if is_page(self.request.url) else ()
        return (
            *opened,
            Offer("y", "I have done it", Effect.ACCEPT, Elicited(action="accept")),
            Offer("n", "Decline", Effect.REFUSE, Elicited(action="decline")),
            saying(Elicited(action="decline")),
            Offer("x", "Cancel", Effect.REFUSE, Elicited(action="cancel")),
            LATER,
        )

    def carry_out(self, offer: Offer) -> None:
        self.post_message(self.Opened(self.request.url))
