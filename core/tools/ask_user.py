"""The toolset `ask_user`: the model asks the person a question, and waits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.tools.toolset import Arguments, Tool, ToolContext, Toolset

DECLINED = "The person did not answer. Go on without, or ask something else."

_SCHEMA = {
    "type": "object",
    "properties": {
        "question": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "What to ask."},
        "options": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 200},
            "maxItems": 20,
            "uniqueItems": True,
            "description": "Answers to choose from; the person may always answer otherwise.",
        },
    },
    "required": ["question"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class UserQuestion:
    """What is asked; hostile text. Without `options` the answer is free text."""

    conversation_id: str
    question: str
    options: tuple[str, ...]


AskPerson = Callable[[UserQuestion], Awaitable[str | None]]
"""The person's answer; None where they do not want to give one.

It may take for ever, and is cancelled with the call. Raises QuarterdeckError where nobody can be asked.
"""


def ask_user_toolset(ask: AskPerson) -> Toolset:
    async def run(context: ToolContext, arguments: Arguments) -> str:
        options = tuple(arguments.get("options", ()))
        answer = await ask(UserQuestion(context.conversation_id, arguments["question"], options))
        return DECLINED if answer is None else answer

    description = "Ask the person who uses this console a question, and get the answer as text."
    return Toolset("ask_user", (Tool("ask_user", description, _SCHEMA, run, seconds=None),))
