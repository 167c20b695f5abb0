"""Whatever is typed into the composer or the inbox while requests come and go, nothing is decided."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.conversation.feed import NotificationState
from tests.tui import examples
from tests.tui.conftest import FOLDER, ConsoleApp
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, until
from tui.launch import Launch
from tui.prompts import gate

TYPED = (
    *tuple("yYaArRnNxXwWsSoOqkbdc123 ?/"),
    "enter",
    "tab",
    "shift+tab",
    "escape",
    "left",
    "right",
    "up",
    "down",
    "pageup",
    "pagedown",
    "home",
    "end",
    "space",
    "backspace",
    "delete",
    "ctrl+j",
    "ctrl+a",
    "ctrl+e",
    "f5",
    "alt+up",
    "alt+down",
)
ENTERING = "f6"

ASK = st.tuples(st.just("ask"), st.sampled_from(sorted(examples.KINDS)))
SETTLE = st.tuples(st.just("settle"), st.just(""))
PASTE = st.tuples(st.just("paste"), st.sampled_from(["y", "y\n", "yes\ny\r\ny"]))


def key_steps(*more: str) -> st.SearchStrategy[tuple[str, str]]:
    return st.tuples(st.just("key"), st.sampled_from((*TYPED, *more)))


async def play(steps: Sequence[tuple[str, str]], quiet: float) -> FakeEngine:
    from textual.events import Paste

    engine = FakeEngine()
    conversation = engine.add(FOLDER, "boats")
    app = ConsoleApp(Launch(FOLDER, latest=True), engine.opener)
    with patch.object(gate, "QUIET", quiet):
        async with app.run_test(size=(80, 50)) as pilot:
            screen = app.console_screen
            await until(pilot, lambda: screen.desk is not None and screen.prompts is not None)
            for number, (step, what) in enumerate(steps, 1):
                match step:
                    case "ask":
                        request = examples.KINDS[what]
                        engine.ask(examples.notified(request, number, conversation_id=conversation.id))
                    case "settle" if engine.pending():
                        settled = engine.pending()[0]
                        engine.ask(
                            examples.notified(
                                settled.request,
                                settled.id,
                                conversation_id=conversation.id,
                                state=NotificationState.WITHDRAWN,
                            )
                        )
                    case "paste":
                        app.post_message(Paste(what))
                    case "key":
                        await press(pilot, what)
    return engine


@pytest.mark.parametrize("kind", sorted(examples.KINDS))
async def test_no_key_that_is_typed_into_the_composer_decides(kind: str) -> None:
    """Even with no quiet period at all: the focus alone protects."""
    steps = [
        ("ask", kind),
        *(("key", key) for key in TYPED),
        ("paste", "y\n"),
        *(("key", key) for key in "yyynnn"),
    ]
    assert (await play(steps, quiet=0.0)).decisions == []


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(ASK, SETTLE, PASTE, key_steps(), key_steps(), key_steps()), max_size=25))
def test_no_mixture_of_typing_and_requests_decides(steps: list[tuple[str, str]]) -> None:
    assert asyncio.run(play([("ask", "command"), *steps], quiet=0.0)).decisions == []


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(ASK, SETTLE, PASTE, key_steps(ENTERING), key_steps(ENTERING)), max_size=25))
def test_no_burst_of_keys_decides_even_when_it_goes_into_the_prompt(steps: list[tuple[str, str]]) -> None:
    assert asyncio.run(play([("ask", "command"), ("key", ENTERING), *steps], quiet=3600.0)).decisions == []


def inbox_steps(*more: str) -> st.SearchStrategy[tuple[str, str]]:
    """Keys for the inbox: Enter goes into the prompt there, as F6 does."""
    keys = [key for key in TYPED if key != "enter"]
    return st.tuples(st.just("key"), st.sampled_from((*keys, "f2", "ctrl+a", *more)))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(ASK, SETTLE, PASTE, inbox_steps(), inbox_steps(), inbox_steps()), max_size=25))
def test_no_mixture_of_typing_in_the_inbox_decides(steps: list[tuple[str, str]]) -> None:
    asked = [("ask", "command"), ("ask", "command"), ("key", "f2")]
    assert asyncio.run(play([*asked, *steps], quiet=0.0)).decisions == []


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(ASK, SETTLE, PASTE, inbox_steps("enter", "f6"), inbox_steps("enter")), max_size=25))
def test_no_burst_of_keys_in_the_inbox_decides_even_when_it_goes_into_a_prompt(
    steps: list[tuple[str, str]],
) -> None:
    asked = [("ask", "question"), ("ask", "command"), ("key", "f2"), ("key", "enter")]
    assert asyncio.run(play([*asked, *steps], quiet=3600.0)).decisions == []
