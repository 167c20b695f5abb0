"""Each kind of prompt shows what is asked, and what the person chooses becomes the right answer."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from core.agent.requests import Answer, Decide, Elicited, Grant, Reply, Request
from core.conversation.feed import Notification, NotificationState
from tests.tui import examples
from tests.tui.host import HostApp, press, settled, until
from tui.prompts import gate
from tui.prompts.body import Body
from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.kinds import prompt_for
from tui.prompts.mcp_link import LinkPrompt
from tui.prompts.picker import Picker
from tui.prompts.prompt import Prompt

pytestmark = pytest.mark.usefixtures("short_quiet")


class Deciding(HostApp):
    """Hears what a prompt decides."""

    def on_prompt_decided(self, event: Prompt.Decided) -> None:
        self.heard.append(event)

    def on_prompt_postponed(self, event: Prompt.Postponed) -> None:
        self.heard.append(event)

    def on_prompt_left(self, event: Prompt.Left) -> None:
        self.heard.append(event)

    def on_prompt_interrupted(self, event: Prompt.Interrupted) -> None:
        self.heard.append(event)

    def on_link_prompt_opened(self, event: LinkPrompt.Opened) -> None:
        self.heard.append(event)

    @property
    def prompt(self) -> Prompt[Any]:
        return self.query_one(Prompt)

    @property
    def answers(self) -> list[Answer]:
        return [event.answer for event in self.heard if isinstance(event, Prompt.Decided)]

    @property
    def hint(self) -> str:
        return str(self.prompt.border_subtitle)


@asynccontextmanager
async def shown(
    asked: Request | Notification, *, size: tuple[int, int] = (80, 40), enter: bool = True
) -> AsyncIterator[tuple[Deciding, Pilot[None]]]:
    notification = asked if isinstance(asked, Notification) else examples.notified(asked)
    app = Deciding(lambda: prompt_for(notification))
    async with app.run_test(size=size) as pilot:
        if enter:
            await go_in(app, pilot)
        yield app, pilot


async def go_in(app: Deciding, pilot: Pilot[None]) -> None:
    app.prompt.enter()
    await until(pilot, lambda: app.prompt.armed)


async def see_everything(app: Deciding, pilot: Pilot[None]) -> None:
    while not app.query_one(ChoiceBar).accepts:
        await press(pilot, "space")


def verb(answer: Answer) -> str:
    assert isinstance(answer, Decide)
    return answer.choice.verb


async def test_a_prompt_never_takes_the_focus() -> None:
    for request in examples.KINDS.values():
        async with shown(request, enter=False) as (app, pilot):
            await press(pilot, "y", "enter")
            assert isinstance(app.focused, TextArea)
            assert app.answers == []


async def test_tab_does_not_lead_into_a_prompt() -> None:
    async with shown(examples.COMMAND, enter=False) as (app, pilot):
        for _ in range(4):
            await press(pilot, "tab")
            assert not app.prompt.has_focus_within


async def test_letters_decide_once_it_was_entered_and_looked_at() -> None:
    for letter, expected in (("y", "accept"), ("r", "accept_rule"), ("n", "decline"), ("x", "cancel")):
        async with shown(examples.COMMAND) as (app, pilot):
            await press(pilot, letter)
            assert [verb(answer) for answer in app.answers] == [expected]
            assert isinstance(app.heard[0], Prompt.Decided)
            assert app.heard[0].shown_hash == "hash-1"


async def test_keys_right_after_entering_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "QUIET", 3600.0)
    async with shown(examples.COMMAND, enter=False) as (app, pilot):
        app.prompt.enter()
        await press(pilot, "y", "n", "enter", "right", "enter")
        assert app.answers == []


async def test_a_decision_is_made_once() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        await press(pilot, "y", "y", "n")
        assert len(app.answers) == 1


async def test_enter_alone_decides_nothing_and_with_arrows_it_takes_what_is_marked() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        await press(pilot, "enter")
        assert app.answers == []
        assert "Nothing is chosen" in app.hint
        await press(pilot, "right", "right", "right", "enter")
        assert [verb(answer) for answer in app.answers] == ["decline"]


async def test_what_does_not_fit_is_scrolled_through_before_it_can_be_accepted() -> None:
    async with shown(examples.LONG_COMMAND, size=(80, 30)) as (app, pilot):
        await press(pilot, "y")
        assert app.answers == []
        assert "Scroll to the end" in app.hint
        await press(pilot, "end", "y")
        assert app.answers == []
        await press(pilot, "home")
        await see_everything(app, pilot)
        await press(pilot, "y")
        assert [verb(answer) for answer in app.answers] == ["accept"]


async def test_what_was_not_seen_can_be_declined() -> None:
    async with shown(examples.LONG_COMMAND, size=(80, 30)) as (app, pilot):
        await press(pilot, "n")
        assert [verb(answer) for answer in app.answers] == ["decline"]


async def test_what_cannot_be_shown_whole_cannot_be_accepted() -> None:
    request = examples.COMMAND.model_copy(update={"command": "\n" * 60_000})
    async with shown(request) as (app, pilot):
        app.query_one(Body).scroll_y = 0
        app.prompt._gate.see(True)
        await press(pilot, "y")
        assert app.answers == []
        assert "cannot be accepted" in app.hint


async def test_a_request_that_changes_is_looked_at_again() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        changed = examples.COMMAND.model_copy(update={"command": "rm -rf /"})
        app.prompt.update(examples.notified(changed, shown_hash="other"))
        await press(pilot, "y")
        assert app.answers == []
        await until(pilot, lambda: app.query_one(ChoiceBar).accepts)
        await press(pilot, "y")
        assert [event.shown_hash for event in app.heard if isinstance(event, Prompt.Decided)] == ["other"]


async def test_a_decision_that_was_not_taken_says_why_and_can_be_made_again() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        await press(pilot, "y")
        app.prompt.failed("The request changed since it was shown.")
        await pilot.pause()
        assert "changed since" in app.hint
        await press(pilot, "n")
        assert [verb(answer) for answer in app.answers] == ["accept", "decline"]


async def test_answered_elsewhere_it_says_by_whom_and_nothing_can_be_decided() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        app.prompt.update(
            examples.notified(examples.COMMAND, state=NotificationState.DELIVERED, decided_by="rule tests")
        )
        await press(pilot, "y")
        assert app.answers == []
        assert "rule tests" in app.hint


async def test_a_choice_that_is_not_known_cannot_be_taken() -> None:
    request = examples.COMMAND.model_copy(update={"choices": (examples.UNKNOWN, examples.CHOICES[2])})
    async with shown(request) as (app, pilot):
        await press(pilot, "right", "enter")
        assert [verb(answer) for answer in app.answers] == ["decline"]


async def test_not_now_and_escape_decide_nothing() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        await press(pilot, "s", "escape")
        assert [type(event) for event in app.heard] == [Prompt.Postponed, Prompt.Left]


async def test_the_first_click_goes_in_and_a_later_one_decides() -> None:
    async with shown(examples.COMMAND, enter=False) as (app, pilot):
        assert await pilot.click(ChoiceBar, offset=(2, 0))
        await settled(pilot)
        assert app.answers == []
        assert app.prompt.entered
        await until(pilot, lambda: app.prompt.armed)
        await pilot.click(ChoiceBar, offset=(2, 0))
        await settled(pilot)
        assert [verb(answer) for answer in app.answers] == ["accept"]


async def test_leaving_the_prompt_disarms_it() -> None:
    async with shown(examples.COMMAND) as (app, pilot):
        app.query_one("#typing").focus()
        await until(pilot, lambda: not app.prompt.entered)
        await press(pilot, "y")
        assert app.answers == []


async def test_keys_to_type_into_a_command_are_shown_as_such() -> None:
    async with shown(examples.STDIN) as (app, pilot):
        assert "type into" in str(app.prompt.border_title)
        await press(pilot, "a")
        assert [verb(answer) for answer in app.answers] == ["accept_session"]


async def test_a_patch_is_accepted_and_declined() -> None:
    async with shown(examples.FILES) as (app, pilot):
        await see_everything(app, pilot)
        await press(pilot, "y")
        assert [verb(answer) for answer in app.answers] == ["accept"]


async def test_a_part_of_the_rights_is_granted() -> None:
    async with shown(examples.PERMISSIONS) as (app, pilot):
        await press(pilot, "tab", "2", "a")
        assert app.answers == [Grant(rights=examples.PERMISSIONS.rights[:1], scope="session")]


async def test_no_right_is_granted_by_declining_and_none_by_an_empty_grant() -> None:
    async with shown(examples.PERMISSIONS) as (app, pilot):
        await press(pilot, "tab", "1", "2", "y")
        assert app.answers == []
        assert "Nothing is ticked" in app.hint
        await press(pilot, "n")
        assert app.answers == [Grant()]


async def test_the_turn_of_a_request_without_cancel_is_interrupted() -> None:
    async with shown(examples.PERMISSIONS) as (app, pilot):
        await press(pilot, "x")
        assert [type(event) for event in app.heard] == [Prompt.Interrupted]


async def test_a_question_is_answered_with_a_pick_words_and_a_secret() -> None:
    async with shown(examples.QUESTION) as (app, pilot):
        await see_everything(app, pilot)
        await press(pilot, "y")
        assert app.answers == []
        app.query_one(Picker).focus()
        await settled(pilot)
        await press(pilot, "space")
        words, secret = app.query(Input)
        assert secret.password
        words.value = "but gently"
        secret.focus()
        await settled(pilot)
        await press(pilot, "7", "y", "n")
        assert app.answers == []
        app.query_one(ChoiceBar).focus()
        await settled(pilot)
        await press(pilot, "y")
        assert app.answers == [Reply(answers={"berth": ("North", "but gently"), "code": ("7yn",)})]


async def test_a_question_can_be_left_unanswered() -> None:
    async with shown(examples.QUESTION) as (app, pilot):
        await press(pilot, "n")
        assert app.answers == [Reply(answers={})]


async def test_a_form_with_a_wrong_answer_is_not_sent_and_the_field_gets_the_focus() -> None:
    async with shown(examples.FORM) as (app, pilot):
        await see_everything(app, pilot)
        await press(pilot, "y")
        name = app.query(Input).first()
        assert app.focused is name
        assert "Name is needed" in app.hint
        name.value = "Ida"
        app.query(Picker).first().pick(1)
        app.query_one(ChoiceBar).focus()
        await settled(pilot)
        await press(pilot, "y")
        (answer,) = app.answers
        assert isinstance(answer, Elicited) and answer.action == "accept" and answer.content_json
        assert json.loads(answer.content_json) == {"name": "Ida", "kind": "motor", "insured": True}


async def test_a_tool_of_an_mcp_server_is_allowed_for_as_long_as_it_offers() -> None:
    for letter, keep in (("y", None), ("a", "session"), ("w", "always")):
        async with shown(examples.TOOL_FORM) as (app, pilot):
            await press(pilot, letter)
            assert app.answers == [Elicited(action="accept", content_json="{}", persist=keep)]


async def test_a_link_is_opened_only_when_the_person_says_so() -> None:
    async with shown(examples.LINK) as (app, pilot):
        assert not any(isinstance(event, LinkPrompt.Opened) for event in app.heard)
        await press(pilot, "o")
        (opened,) = app.heard
        assert isinstance(opened, LinkPrompt.Opened) and opened.url == examples.LINK.url
        await press(pilot, "y")
        assert app.answers == [Elicited(action="accept")]


async def test_what_this_version_cannot_answer_is_shown_and_can_only_be_left() -> None:
    async with shown(examples.OTHER) as (app, pilot):
        await press(pilot, "y", "a", "n", "1", "enter")
        assert app.answers == []
        await press(pilot, "s")
        assert [type(event) for event in app.heard] == [Prompt.Postponed]
