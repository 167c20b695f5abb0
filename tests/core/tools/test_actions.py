"""Launching tools: what the policy says, and whatever the tool does."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable

import pytest

from core.access.policy import (
    AccessContext,
    AccessPolicy,
    Action,
    Authorization,
    Profile,
    ProfileId,
    Verdict,
)
from core.agent.port import Sandbox
from core.errors import InvalidRequest, NotFound, Unauthorized
from core.tools import running
from core.tools.actions import ThreadActions, ToolUse
from core.tools.toolset import Arguments, Function, Tool, ToolContext

PATIENCE_S = 10.0
PROFILE = ProfileId("tester")


def bound(
    *functions: Function,
    verdict: Verdict = Verdict.ALLOW,
    seconds: float | None = PATIENCE_S,
    ask: Callable[[ToolUse], Awaitable[bool]] | None = None,
) -> ThreadActions:
    """Actions with a tool for each function, under its name, authorized with the verdict."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    tools = [Tool(function.__name__, "", schema, function, seconds) for function in functions]
    actions = ThreadActions(tools, conversation_id="c", ask=ask)
    bind(actions, verdict)
    return actions


def bind(actions: ThreadActions, verdict: Verdict) -> None:
    profile = Profile(PROFILE, "", Sandbox.FULL_ACCESS, {Action.TOOL: verdict})
    actions.bind_authorization(AccessContext("/somewhere"), PROFILE, AccessPolicy({PROFILE: profile}))


async def echo(context: ToolContext, arguments: Arguments) -> str:
    return f"{arguments['n']} in {context.conversation_id} at {context.workspace}"


async def forever(context: ToolContext, arguments: Arguments) -> str:
    await asyncio.Event().wait()
    return "never"


async def test_an_allowed_tool_runs_with_its_context() -> None:
    result = await bound(echo).launch("echo", '{"n": 7}')
    assert result.success and result.text == "7 in c at /somewhere"


async def test_nothing_runs_that_is_not_authorized() -> None:
    actions = bound(echo)
    actions.clear_authorization()
    result = await actions.launch("echo", '{"n": 7}')
    assert not result.success and "nothing is authorized" in result.text


async def test_a_denied_tool_is_refused_before_its_arguments_are_looked_at() -> None:
    result = await bound(echo, verdict=Verdict.DENY).launch("echo", "{")
    assert not result.success and "tester does not allow tools" in result.text


async def test_an_unknown_tool_and_wrong_arguments_are_failed_results() -> None:
    actions = bound(echo)
    assert "no tool named other" in (await actions.launch("other", "{}")).text
    assert "arguments are wrong" in (await actions.launch("echo", '{"n": "x"}')).text


@pytest.mark.parametrize("accepted", [True, False])
async def test_a_tool_that_asks_runs_only_when_a_person_lets_it(accepted: bool) -> None:
    asked: list[ToolUse] = []

    async def ask(use: ToolUse) -> bool:
        asked.append(use)
        return accepted

    result = await bound(echo, verdict=Verdict.ASK, ask=ask).launch("echo", '{"n": 7}')
    assert asked == [ToolUse("c", "echo", '{"n": 7}')]
    assert result.success is accepted
    assert accepted or "declined" in result.text


async def test_a_person_is_not_asked_about_a_call_that_cannot_run() -> None:
    async def ask(use: ToolUse) -> bool:
        raise AssertionError("asked")

    result = await bound(echo, verdict=Verdict.ASK, ask=ask).launch("echo", '{"n": "x"}')
    assert "arguments are wrong" in result.text


async def test_a_tool_that_asks_is_refused_where_nobody_can_be_asked() -> None:
    result = await bound(echo, verdict=Verdict.ASK).launch("echo", '{"n": 7}')
    assert not result.success and "nobody is there to ask" in result.text


async def test_a_yes_that_comes_after_the_run_has_ended_starts_nothing() -> None:
    async def ask(use: ToolUse) -> bool:
        actions.clear_authorization()
        return True

    actions = bound(echo, verdict=Verdict.ASK, ask=ask)
    result = await actions.launch("echo", '{"n": 7}')
    assert not result.success and "has ended" in result.text


async def test_an_authorization_that_is_bound_anew_meanwhile_does_no_harm() -> None:
    async def ask(use: ToolUse) -> bool:
        bind(actions, Verdict.ASK)
        return True

    actions = bound(echo, verdict=Verdict.ASK, ask=ask)
    assert (await actions.launch("echo", '{"n": 7}')).success


async def test_asking_that_breaks_is_a_failed_result() -> None:
    async def ask(use: ToolUse) -> bool:
        raise ZeroDivisionError("the screen is gone")

    result = await bound(echo, verdict=Verdict.ASK, ask=ask).launch("echo", '{"n": 7}')
    assert not result.success and "the screen is gone" in result.text


async def test_a_judge_decides_beside_the_profile_in_words_of_its_own() -> None:
    async def judge(authorization: Authorization, use: ToolUse) -> Verdict:
        raise Unauthorized(f"{use.tool} was not run", why="the rule 3 denies it")

    actions = ThreadActions([Tool("echo", "", {"type": "object"}, echo)], judge=judge)
    bind(actions, Verdict.ALLOW)
    result = await actions.launch("echo", '{"n": 7}')
    assert not result.success and "the rule 3 denies it" in result.text


async def test_calls_run_at_once() -> None:
    together = asyncio.Barrier(3)

    async def meet(context: ToolContext, arguments: Arguments) -> str:
        await together.wait()
        return str(arguments["n"])

    actions = bound(meet)
    results = await asyncio.wait_for(
        asyncio.gather(*(actions.launch("meet", f'{{"n": {n}}}') for n in range(3))), PATIENCE_S
    )
    assert [result.text for result in results] == ["0", "1", "2"]


async def broken(context: ToolContext, arguments: Arguments) -> str:
    raise ZeroDivisionError("by zero")


async def missing(context: ToolContext, arguments: Arguments) -> str:
    raise NotFound("There is no such buoy", todo="Look at the chart")


async def leave(context: ToolContext, arguments: Arguments) -> str:
    sys.exit(3)


async def give_up(context: ToolContext, arguments: Arguments) -> str:
    raise asyncio.CancelledError


async def number(context: ToolContext, arguments: Arguments) -> str:
    return 7  # pyright: ignore[reportReturnType]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (broken, "broken failed: ZeroDivisionError: by zero"),
        (missing, "There is no such buoy. Look at the chart."),
        (leave, "tried to exit with 3"),
        (give_up, "give_up was cancelled"),
        (number, "its result is int and no text"),
    ],
)
async def test_whatever_a_tool_does_wrong_is_its_result(function: Function, said: str) -> None:
    result = await bound(function).launch(function.__name__, "{}")
    assert not result.success and said in result.text


async def test_a_tool_that_takes_too_long_is_stopped() -> None:
    ended = asyncio.Event()

    async def slow(context: ToolContext, arguments: Arguments) -> str:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return "never"

    result = await bound(slow, seconds=0.01).launch("slow", "{}")
    assert not result.success and "did not finish in 0.01 s" in result.text
    assert ended.is_set()


async def test_a_tool_that_does_not_let_itself_be_stopped_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "END_SECONDS", 0.01)
    release, ended = asyncio.Event(), asyncio.Event()

    async def stubborn(context: ToolContext, arguments: Arguments) -> str:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        ended.set()
        return "late"

    result = await bound(stubborn, seconds=0.01).launch("stubborn", "{}")
    assert not result.success and "did not finish" in result.text
    release.set()
    await asyncio.wait_for(ended.wait(), PATIENCE_S)


async def test_cancelling_a_launch_cancels_the_tool_and_passes_on() -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def hold(context: ToolContext, arguments: Arguments) -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return "never"

    launch = asyncio.create_task(bound(hold, seconds=None).launch("hold", "{}"))
    await asyncio.wait_for(started.wait(), PATIENCE_S)
    launch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await launch
    assert ended.is_set()


async def test_progress_is_told_while_the_call_runs_and_not_after() -> None:
    told: list[str] = []
    kept: list[ToolContext] = []

    async def tell(text: str) -> None:
        told.append(text)

    async def work(context: ToolContext, arguments: Arguments) -> str:
        kept.append(context)
        await context.progress("half way\ud800")
        return "done"

    assert (await bound(work).launch("work", "{}", tell)).text == "done"
    await kept[0].progress("too late")
    assert told == ["half way?"]


async def test_a_result_of_any_size_and_content_can_be_sent() -> None:
    async def flood(context: ToolContext, arguments: Arguments) -> str:
        return "\ud800" + "x" * running.RESULT_AT_MOST

    result = await bound(flood).launch("flood", "{}")
    assert result.success and result.text.encode()
    assert f"[cut: {running.RESULT_AT_MOST} of {running.RESULT_AT_MOST + 1} characters]" in result.text


def test_tools_that_cannot_be_offered_together_are_refused() -> None:
    with pytest.raises(InvalidRequest, match="two of that name"):
        bound(echo, echo)
