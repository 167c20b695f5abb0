"""Each kind of prompt shows what is asked, and what the person chooses becomes the right answer."""

from __future__ import annotations

import json

import pytest
from textual.widgets import Input, Static, TextArea

from core.agent.requests import Elicited, Grant, Reply, Right
from core.conversation.feed import NotificationState
from tests.tui import examples
from tests.tui.host import press, settled, until
from tests.tui.prompts.prompting import see_everything, shown, verb
from tui.prompts import gate
from tui.prompts.body import Body
from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.mcp_link import LinkPrompt
from tui.prompts.picker import Picker
from tui.prompts.prompt import Prompt

pytestmark = pytest.mark.usefixtures("short_quiet")


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
        await press(pilot, "right", "right", "right", "right", "enter")
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
        assert "Scroll to the end" not in app.hint
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
        app.prompt._sitting.look(0, 100_000, 100_000, 80)
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


async def test_a_patch_of_which_nobody_knows_the_files_cannot_be_accepted() -> None:
    async with shown(examples.FILES.model_copy(update={"changes": ()})) as (app, pilot):
        await press(pilot, "y")
        assert app.answers == []
        assert "not said which files" in app.hint
        await until(pilot, lambda: app.prompt.armed)
        await press(pilot, "n")
        assert [verb(answer) for answer in app.answers] == ["decline"]


async def test_a_part_of_the_rights_is_granted() -> None:
    async with shown(examples.PERMISSIONS) as (app, pilot):
        await press(pilot, "1", "a")
        assert app.answers == [Grant(rights=examples.PERMISSIONS.rights[:1], scope="session")]


async def test_a_right_is_shown_to_its_end_before_it_is_granted() -> None:
    long = Right(label=f"write {'/very/long' * 300}§", raw="{}")
    asked = examples.PERMISSIONS.model_copy(update={"rights": (long,)})
    async with shown(asked) as (app, pilot):
        await press(pilot, "y")
        assert app.answers == []
        await see_everything(app, pilot)
        rows = app.screen._compositor.render_strips()
        assert any("§" in "".join(segment.text for segment in row) for row in rows)
    endless = asked.model_copy(update={"rights": (Right(label="x" * 200_000, raw="{}"),)})
    async with shown(endless) as (app, _):
        assert not app.prompt.judge().complete


async def test_no_right_is_granted_by_declining_and_none_by_an_empty_grant() -> None:
    async with shown(examples.PERMISSIONS) as (app, pilot):
        await press(pilot, "y")
        assert app.answers == []
        assert "Tick what is to be granted" in app.hint
        await press(pilot, "1", "1")
        assert "Tick what is to be granted" not in app.hint
        await until(pilot, lambda: app.prompt.armed)
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
        words, secret = app.query(".field Input").results(Input)
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


async def test_a_link_is_opened_only_when_it_was_seen_whole() -> None:
    long = examples.LINK.model_copy(update={"message": "please\n" * 60})
    async with shown(long, size=(80, 20)) as (app, pilot):
        app.prompt.limit(6)
        await press(pilot, "o")
        assert app.heard == []
        await until(pilot, lambda: app.prompt.armed)
        await see_everything(app, pilot)
        await press(pilot, "o")
        assert [type(event) for event in app.heard] == [LinkPrompt.Opened]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "vscode://x", "javascript:alert(1)", "https://", "x"])
async def test_what_is_no_page_of_the_web_is_not_opened(url: str) -> None:
    async with shown(examples.LINK.model_copy(update={"url": url})) as (app, pilot):
        await press(pilot, "o", "enter")
        assert app.heard == []
        assert any("no page of the web" in line.text for line in app.prompt.judge().lines)


async def test_what_this_version_cannot_answer_is_shown_and_can_only_be_left() -> None:
    async with shown(examples.OTHER) as (app, pilot):
        await press(pilot, "y", "a", "n", "1", "enter")
        assert app.answers == []
        await press(pilot, "s")
        assert [type(event) for event in app.heard] == [Prompt.Postponed]


async def test_the_alternatives_of_a_question_are_under_the_arrows_at_once() -> None:
    async with shown(examples.QUESTION) as (app, pilot):
        picker = app.query_one(Picker)
        assert app.focused is picker
        await press(pilot, "down", "space")
        assert picker.picked == (1,)
        await press(pilot, "down")
        assert app.focused is app.query(".field Input").first()


async def test_enter_on_an_alternative_goes_on_and_takes_nothing_back() -> None:
    async with shown(examples.FORM, size=(80, 50)) as (app, pilot):
        kind, insured = app.query(Picker)
        kind.focus()
        await press(pilot, "down", "enter")
        assert (kind.picked, app.focused) == ((1,), insured)
        kind.focus()
        await press(pilot, "enter")
        assert (kind.picked, app.focused) == ((1,), insured)
        await press(pilot, "enter")
        assert insured.picked == (0,)
        assert isinstance(app.focused, ChoiceBar)
        insured.focus()
        await press(pilot, "space")
        assert insured.picked == ()


async def test_what_is_picked_to_begin_with_stays_when_one_goes_on() -> None:
    fields = {"insured": {"type": "boolean", "default": False}}
    form = examples.FORM.model_copy(update={"form_json": json.dumps({"properties": fields})})
    async with shown(form) as (app, pilot):
        await press(pilot, "enter")
        assert app.query_one(Picker).picked == (1,)


async def test_enter_on_a_right_leaves_it_as_it_is_ticked() -> None:
    async with shown(examples.PERMISSIONS) as (app, pilot):
        await press(pilot, "enter")
        assert app.query_one(Picker).picked == ()
        app.query_one(Picker).focus()
        await press(pilot, "space", "enter")
        assert app.query_one(Picker).picked == (0,)


async def test_a_command_that_no_rule_can_allow_offers_no_rule_and_says_why() -> None:
    unsure = examples.notified(examples.COMMAND, unsure="it redirects a file")
    async with shown(unsure) as (app, pilot):
        (text,) = [str(line.text) for line in app.prompt.judge().lines if line.margin == "always "]
        assert text == "not offered, though Codex would: it redirects a file"
        await press(pilot, "r", "l")
        assert app.heard == []
        await press(pilot, "y")
        assert [verb(answer) for answer in app.answers] == ["accept"]


async def test_a_tool_of_ours_is_let_run_or_not() -> None:
    for letter, wanted in (("y", "accept"), ("n", "decline")):
        async with shown(examples.TOOL) as (app, pilot):
            await see_everything(app, pilot)
            await press(pilot, letter)
            assert [verb(answer) for answer in app.answers] == [wanted]


async def test_a_prompt_says_whose_it_is_under_what_and_why_it_asks() -> None:
    asked = examples.notified(
        examples.COMMAND,
        profile="operator",
        sandbox="workspace-write",
        why_asked="No rule matches git push.",
    )
    async with shown(asked) as (app, _):
        app.prompt.place("", "Greet every boat")
        whence = str(app.prompt.query_one(".prompt--whence", Static).render())
        assert "in Greet every boat" in whence
        assert "profile operator" in whence
        assert "No rule matches git push." in whence
        assert any("workspace-write" in line.text for line in app.prompt.judge().lines)


async def test_the_rights_that_a_command_would_also_get_are_shown() -> None:
    asked = examples.COMMAND.model_copy(update={"rights": examples.PERMISSIONS.rights})
    async with shown(asked) as (app, _):
        shown_lines = [line.text for line in app.prompt.judge().lines]
        assert "use the network" in shown_lines
        assert "write below /var/log" in shown_lines


async def test_a_patch_of_10000_lines_is_all_there_and_is_accepted_only_when_all_was_seen() -> None:
    diff = "".join(f"line {number}\n" for number in range(10_000))
    change = examples.FILES.changes[1].model_copy(update={"diff": diff})
    async with shown(examples.FILES.model_copy(update={"changes": (change,)})) as (app, pilot):
        assert app.prompt.judge().complete
        await press(pilot, "pagedown", "end", "y")
        assert app.answers == []
        assert "more rows to see" in app.hint or "Scroll to the end" in app.hint
        await press(pilot, "n")
        assert [verb(answer) for answer in app.answers] == ["decline"]
