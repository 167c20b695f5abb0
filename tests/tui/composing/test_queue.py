"""Tab queues for after the turn; what waits comes back whole."""

from __future__ import annotations

from core.conversation.feed import Delivery, OutboxEntry
from core.thread.state import Status
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, until
from tui.launch import Launch

LATEST = Launch(FOLDER, latest=True)


def hint(screen: object) -> str:
    return str(screen.query_one("#composer-hint").render())  # type: ignore[attr-defined]


async def test_tab_queues_while_a_turn_runs_and_the_screen_says_so(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.become(Status.RUNNING)
    async with console(LATEST) as (screen, pilot):
        await until(pilot, lambda: "Tab queues for later" in hint(screen))
        await press(pilot, *"and then", "tab")
        await until(pilot, lambda: conversation.outbox)
        (entry,) = conversation.outbox
        assert (entry.text, entry.delivery) == ("and then", Delivery.QUEUED)
        assert screen.composer.input.text == ""
        assert conversation.sent == []
        await press(pilot, *"now", "enter")
        await until(pilot, lambda: conversation.sent)
        assert [text for text, _ in conversation.sent] == ["now"]


async def test_tab_sends_nothing_while_no_turn_runs(console: OpenConsole, engine: FakeEngine) -> None:
    conversation = engine.add(FOLDER, "boats")
    async with console(LATEST) as (screen, pilot):
        assert "Tab" not in hint(screen) and "Enter sends" in hint(screen)
        await press(pilot, *"hello", "tab", "!")
        assert screen.composer.input.text == "hello!"
        assert conversation.sent == [] and conversation.outbox == ()


async def test_a_queued_message_comes_back_with_its_images_and_is_in_the_draft_at_once(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.become(Status.RUNNING)
    text = "look: [Image #1 dot.png 1 KB]"
    conversation.wait_for([OutboxEntry("k", text, Delivery.QUEUED, ("/pictures/dot.png",))])
    async with console(LATEST) as (screen, pilot):
        await press(pilot, *"so ", "ctrl+t")
        await until(pilot, lambda: "Image" in screen.composer.input.text)
        assert screen.composer.input.text == f"so {text}"
        assert "/pictures/dot.png" in engine.drafts[conversation.id]
        await press(pilot, "enter")
        await until(pilot, lambda: conversation.sent)
        ((sent, key),) = conversation.sent
        assert sent == f"so {text}"
        assert conversation.attached[key] == ("/pictures/dot.png",)
        assert engine.drafts[conversation.id] == ""
