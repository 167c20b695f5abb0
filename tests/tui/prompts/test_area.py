"""The prompt area shows one of what waits, and leaves the focus where the person put it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, TextArea

from core.conversation.feed import Notification, NotificationState
from tests.tui import examples
from tests.tui.host import HostApp, press, settled, until
from tui.prompts import gate
from tui.prompts.area import PromptArea
from tui.prompts.prompt import Prompt

pytestmark = pytest.mark.usefixtures("short_quiet")


class AreaApp(HostApp):
    """Does what a screen does: leaving a prompt leads back to where one types."""

    @property
    def area(self) -> PromptArea:
        return self.query_one(PromptArea)

    @property
    def shown_id(self) -> int | None:
        return self.area.prompt.notification.id if self.area.prompt else None

    def on_prompt_left(self) -> None:
        self.query_one("#typing").focus()

    def on_prompt_decided(self, event: Prompt.Decided) -> None:
        self.heard.append(event.notification_id)

    def on_prompt_area_settled(self, event: PromptArea.Settled) -> None:
        self.heard.append(event.text)


def command(number: int) -> Notification:
    request = examples.COMMAND.model_copy(update={"command": f"make {number}"})
    return examples.notified(request, number)


@asynccontextmanager
async def area(pending: Iterable[Notification]) -> AsyncIterator[tuple[AreaApp, Pilot[None]]]:
    app = AreaApp(lambda: PromptArea(widget_id="prompts"))
    async with app.run_test(size=(80, 40)) as pilot:
        app.area.show(pending)
        await settled(pilot)
        yield app, pilot


async def go_in(app: AreaApp, pilot: Pilot[None]) -> None:
    app.area.enter()
    await until(pilot, lambda: app.area.prompt and app.area.prompt.armed)
    await settled(pilot)


async def test_the_oldest_is_shown_and_says_how_many_there_are() -> None:
    async with area(map(command, (1, 2, 3))) as (app, _):
        assert app.shown_id == 1
        assert "1 of 3" in str(app.area.prompt and app.area.prompt.border_title)
        assert isinstance(app.focused, TextArea)


async def test_nothing_pending_takes_no_room() -> None:
    async with area(()) as (app, _):
        assert not app.area.display


async def test_from_within_enter_goes_on_to_the_next_and_around() -> None:
    async with area(map(command, (1, 2, 3))) as (app, pilot):
        seen: list[int | None] = []
        for _ in range(4):
            await go_in(app, pilot)
            seen.append(app.shown_id)
        assert seen == [1, 2, 3, 1]


async def test_the_next_one_is_looked_at_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    async with area(map(command, (1, 2))) as (app, pilot):
        await go_in(app, pilot)
        monkeypatch.setattr(gate, "QUIET", 3600.0)
        app.area.enter()
        await until(pilot, lambda: app.shown_id == 2 and app.area.prompt and app.area.prompt.entered)
        await press(pilot, "y")
        assert app.heard == []


async def test_what_is_put_off_stays_pending_and_can_be_brought_back() -> None:
    async with area(map(command, (1,))) as (app, pilot):
        await go_in(app, pilot)
        await press(pilot, "s")
        assert app.shown_id is None
        assert app.area.display and app.area.waiting
        assert isinstance(app.focused, TextArea)
        await go_in(app, pilot)
        assert app.shown_id == 1


async def test_putting_one_off_shows_the_next_without_going_into_it() -> None:
    async with area(map(command, (1, 2))) as (app, pilot):
        await go_in(app, pilot)
        await press(pilot, "s")
        await until(pilot, lambda: app.shown_id == 2)
        await press(pilot, "y")
        assert app.heard == []
        assert isinstance(app.focused, TextArea)


async def test_a_decision_that_was_taken_makes_room_and_does_not_lead_into_the_next() -> None:
    async with area(map(command, (1, 2))) as (app, pilot):
        await go_in(app, pilot)
        await press(pilot, "y")
        app.area.update(examples.notified(command(1).request, 1, state=NotificationState.DECIDED))
        await until(pilot, lambda: app.shown_id == 2)
        await press(pilot, "y", "y")
        assert app.heard == [1]
        assert isinstance(app.focused, TextArea)


async def test_answered_elsewhere_while_nobody_is_in_it_goes_away_and_is_told() -> None:
    async with area(map(command, (1,))) as (app, pilot):
        app.area.update(
            examples.notified(command(1).request, 1, state=NotificationState.DELIVERED, decided_by="you")
        )
        await until(pilot, lambda: app.heard)
        assert app.heard == ["Answered by you"]
        assert not app.area.display


async def test_answered_elsewhere_while_somebody_is_in_it_stays_dead_until_left() -> None:
    async with area(map(command, (1, 2))) as (app, pilot):
        await go_in(app, pilot)
        app.area.update(examples.notified(command(1).request, 1, state=NotificationState.WITHDRAWN))
        await press(pilot, "y", "n")
        assert app.heard == []
        assert app.shown_id == 1
        await press(pilot, "escape")
        await until(pilot, lambda: app.shown_id == 2)


async def test_another_conversation_shows_its_own() -> None:
    async with area(map(command, (1,))) as (app, pilot):
        app.area.show([command(7)])
        await until(pilot, lambda: app.shown_id == 7)
        app.area.show([])
        await settled(pilot)
        assert not app.area.display


async def test_a_new_one_while_somebody_is_in_another_changes_only_the_count() -> None:
    async with area(map(command, (1,))) as (app, pilot):
        await go_in(app, pilot)
        app.area.update(command(2))
        await settled(pilot)
        assert app.shown_id == 1 and app.area.prompt and app.area.prompt.entered
        assert "1 of 2" in str(app.area.prompt.border_title)


async def test_a_form_that_changes_is_another_form_that_nobody_is_in() -> None:
    async with area([examples.notified(examples.PERMISSIONS)]) as (app, pilot):
        await go_in(app, pilot)
        fewer = examples.PERMISSIONS.model_copy(update={"rights": examples.PERMISSIONS.rights[:1]})
        app.area.update(examples.notified(fewer, shown_hash="other"))
        await until(pilot, lambda: app.query_one("Picker", OptionList).option_count == 1)
        await press(pilot, "y")
        assert isinstance(app.focused, TextArea)
        assert app.heard == ["What was asked has changed: look again"]
