from __future__ import annotations

import asyncio

import pytest

from core.access.policy import OPERATOR, AccessContext, AccessPolicy
from core.errors import Unsupported
from core.tools.actions import ThreadActions
from core.tools.ask_user import DECLINED, AskPerson, UserQuestion, ask_user_toolset


def offered(ask: AskPerson) -> ThreadActions:
    actions = ThreadActions(ask_user_toolset(ask).tools, conversation_id="c")
    actions.bind_authorization(AccessContext("/somewhere"), OPERATOR.id, AccessPolicy.shipped())
    return actions


@pytest.mark.parametrize(("answer", "text"), [("left", "left"), ("", ""), (None, DECLINED)])
async def test_the_answer_of_the_person_is_the_result(answer: str | None, text: str) -> None:
    asked: list[UserQuestion] = []

    async def ask(question: UserQuestion) -> str | None:
        asked.append(question)
        return answer

    result = await offered(ask).launch("ask_user", '{"question": "Where to?", "options": ["left", "right"]}')
    assert result.success and result.text == text
    assert asked == [UserQuestion("c", "Where to?", ("left", "right"))]


async def test_nobody_to_ask_is_a_failed_result() -> None:
    async def ask(question: UserQuestion) -> str | None:
        raise Unsupported("Nobody can be asked", why="this is not a terminal")

    result = await offered(ask).launch("ask_user", '{"question": "Where to?"}')
    assert not result.success and "not a terminal" in result.text


async def test_the_question_is_taken_back_when_the_call_is_cancelled() -> None:
    asked, taken_back = asyncio.Event(), asyncio.Event()

    async def ask(question: UserQuestion) -> str | None:
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            taken_back.set()
        return None

    launch = asyncio.create_task(offered(ask).launch("ask_user", '{"question": "Where to?"}'))
    await asyncio.wait_for(asked.wait(), 10)
    launch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await launch
    assert taken_back.is_set()


@pytest.mark.parametrize(
    "arguments", ["{}", '{"question": ""}', '{"question": "?", "options": ["a", "a"]}', '{"question": 1}']
)
async def test_a_malformed_question_is_not_asked(arguments: str) -> None:
    async def ask(question: UserQuestion) -> str | None:
        raise AssertionError("asked")

    result = await offered(ask).launch("ask_user", arguments)
    assert not result.success and "arguments are wrong" in result.text
