"""What we ask a person ourselves: the model's questions by our own tool, and whether a tool of ours may run.

They are shown and decided as Codex's own requests are. They die with this console.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable

from core import generations
from core.agent.requests import (
    Answer,
    Choice,
    Decide,
    Option,
    Question,
    QuestionPart,
    Reply,
    Request,
    RequestKey,
    ToolRequest,
)
from core.conversation.grounds import Grounds
from core.tools.actions import ToolUse
from core.tools.ask_user import UserQuestion

ALLOWED = Choice(verb="accept", label="Accept", raw='"accept"')
DECLINED = Choice(verb="decline", label="Decline", raw='"decline"')


class OwnQuestions:
    """Each is raised through `raised`, and withdrawn through `settled` when nobody waits for it any more."""

    def __init__(
        self,
        raised: Callable[[str, Request, Grounds], None],
        settled: Callable[[RequestKey], None],
    ) -> None:
        self.generation = generations.of_console()
        self._raised = raised
        self._settled = settled
        self._waiters: dict[RequestKey, asyncio.Future[Answer]] = {}

    async def ask(self, question: UserQuestion) -> str | None:
        """The person's answer in words, or None where none is given.

        Waits for a person, for as long as it takes; a question whose call is cancelled is withdrawn.
        """
        part = QuestionPart(
            id="answer",
            header="",
            text=question.question,
            options=tuple(Option(label=label) for label in question.options),
            other=True,
        )
        asked = Question(key=self._key(), thread_id="", turn_id=None, item_id="", parts=(part,))
        grounds = Grounds(why="The model asks you by a tool; only you can answer.")
        answer = await self._wait(question.conversation_id, asked, grounds)
        given = answer.answers.get("answer", ()) if isinstance(answer, Reply) else ()
        return "; ".join(given) or None

    async def permit(self, use: ToolUse) -> bool:
        """Whether a person lets a call of a tool run. Waits as `ask` does."""
        asked = ToolRequest(
            key=self._key(),
            thread_id="",
            turn_id=None,
            item_id="",
            tool=use.tool,
            arguments=use.arguments,
            choices=(ALLOWED, DECLINED),
        )
        grounds = Grounds(why="A rule or the profile has you asked before this tool runs.")
        answer = await self._wait(use.conversation_id, asked, grounds)
        return isinstance(answer, Decide) and answer.choice == ALLOWED

    def waits(self, key: RequestKey) -> bool:
        """Is it one of ours that waits here?"""
        return key in self._waiters

    def give(self, key: RequestKey, answer: Answer) -> None:
        """The answer to one that waits; a second one changes nothing."""
        waiter = self._waiters[key]
        if not waiter.done():
            waiter.set_result(answer)

    def _key(self) -> RequestKey:
        return RequestKey(generation=self.generation, id=uuid.uuid4().hex)

    async def _wait(self, conversation_id: str, asked: Request, grounds: Grounds) -> Answer:
        waiter: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiters[asked.key] = waiter
        self._raised(conversation_id, asked, grounds)
        try:
            return await waiter
        finally:
            del self._waiters[asked.key]
            self._settled(asked.key)
