"""Tab queues for after the turn; what waits comes back whole."""

from __future__ import annotations

from core.conversation.feed import Delivery, OutboxEntry
from core.errors import StoreError
from core.thread.state import Status
from tests.tui import examples
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, until
from tui.composing.draft import load_draft
from tui.composing.parts import Image
from tui.launch import Launch
from tui.screens.inbox import InboxScreen

LATEST = Launch(FOLDER, latest=True)


def hint(screen: object) -> str:
    return str(screen.query_one("#composer-hint").render())  # type: ignore[attr-defined]


def notice(screen: object) -> str:
    return str(screen.query_one("#notices").render())  # type: ignore[attr-defined]


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


async def test_escape_brings_what_waits_back_before_what_is_written_and_then_interrupts(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.become(Status.RUNNING)
    conversation.wait_for(
        [
            OutboxEntry("k1", "look: [Image #1 dot.png 1 KB]", Delivery.QUEUED, ("/pictures/one.png",)),
            OutboxEntry("k2", "on its way", Delivery.SENT),
            OutboxEntry("k3", "and: [Image #1 dot.png 1 KB]", Delivery.ACCEPTED, ("/pictures/two.png",)),
        ]
    )
    async with console(LATEST) as (screen, pilot):
        await press(pilot, *"so", "escape")
        await until(pilot, lambda: conversation.interrupted == 1)
        text = "look: [Image #1 dot.png 1 KB]\n\nand: [Image #2 dot.png 1 KB]\n\nso"
        assert screen.composer.input.text == text
        assert load_draft(engine.drafts[conversation.id]) == (
            text,
            {
                "[Image #1 dot.png 1 KB]": Image("/pictures/one.png"),
                "[Image #2 dot.png 1 KB]": Image("/pictures/two.png"),
            },
        )
        assert [entry.key for entry in conversation.outbox] == ["k2"]
        await until(pilot, lambda: "Stopped. What waited is in the composer again." in notice(screen))
        await press(pilot, "ctrl+z")
        assert screen.composer.input.text == "so"


async def test_what_comes_back_is_a_message_still_whatever_it_begins_with(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.become(Status.RUNNING)
    conversation.wait_for([OutboxEntry("k", "/quit is a command", Delivery.QUEUED)])
    async with console(LATEST) as (_, pilot):
        await press(pilot, "escape")
        await until(pilot, lambda: conversation.interrupted == 1)
        await press(pilot, "enter")
        await until(pilot, lambda: conversation.sent)
        assert [text for text, _ in conversation.sent] == ["/quit is a command"]


async def test_what_comes_back_is_in_the_composer_even_if_it_cannot_be_written_yet(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.become(Status.RUNNING)
    conversation.wait_for([OutboxEntry("k", "later", Delivery.QUEUED)])
    conversation.fails = StoreError("The disk is full")
    async with console(LATEST) as (screen, pilot):
        await press(pilot, "escape")
        await until(pilot, lambda: conversation.interrupted == 1)
        assert screen.composer.input.text == "later"
        assert "The disk is full" in notice(screen)


async def test_stopping_a_turn_from_its_prompt_brings_back_what_waits_too(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    conversation.become(Status.RUNNING)
    conversation.wait_for([OutboxEntry("k", "later", Delivery.QUEUED)])
    engine.ask(examples.notified(examples.COMMAND, 7, conversation_id=conversation.id))
    async with console(LATEST, size=(80, 40)) as (screen, pilot):
        await press(pilot, "f6")
        await until(pilot, lambda: screen.prompts and screen.prompts.prompt and screen.prompts.prompt.armed)
        await press(pilot, "x")
        await until(pilot, lambda: engine.decisions)
        assert conversation.outbox == ()
        assert screen.composer.input.text == "later"


async def test_stopping_a_turn_from_the_inbox_brings_back_what_waits_there(
    console: OpenConsole, engine: FakeEngine
) -> None:
    other = engine.add(FOLDER, "boats")
    other.become(Status.RUNNING)
    other.wait_for([OutboxEntry("k", "later", Delivery.QUEUED)])
    engine.add(FOLDER, "here")
    engine.ask(examples.notified(examples.PERMISSIONS, 7, conversation_id=other.id))
    async with console(LATEST, size=(120, 40)) as (screen, pilot):
        assert screen.composer.input.text == ""
        await press(pilot, "f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, InboxScreen))
        inbox = pilot.app.screen
        assert isinstance(inbox, InboxScreen)
        await until(pilot, lambda: inbox._details.prompt)
        await press(pilot, "f6")
        await until(pilot, lambda: inbox._details.prompt and inbox._details.prompt.armed)
        await press(pilot, "x")
        await until(pilot, lambda: other.interrupted == 1)
        assert engine.drafts[other.id] == "later"
        assert screen.composer.input.text == ""
        assert screen.desk is not None
        await screen.desk.open(other.id)
        assert screen.desk.current.writing.text == "later"
