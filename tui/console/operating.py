"""What the console does with a conversation: its turn, what waits in it, its history, and every slash command."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from tui.console.ability import Ability
from tui.transcript import safe
from tui.widgets.key_names import key_shown

if TYPE_CHECKING:
    from core.conversation.feed import OutboxEntry
    from core.operations.model import RevertPlan
    from tui.desk import Desk
    from tui.place import Place
    from tui.screens.confirm import Question
    from tui.widgets.composer import Composer

WORDS_OF_A_MESSAGE = 200


class Operating(Ability):
    """Asks the engine, after the person where something is lost by it, and tells what came of it."""

    def slash_given(self, given: Composer.Commanded) -> None:
        """Do it where it was given; who has gone elsewhere meanwhile gets it back there."""
        composer = self.console.composer
        if given.writing is composer.writing:
            self.slash(given.name, given.argument)
        else:
            composer.give_back(given.writing, f"/{given.name} {given.argument}".rstrip())
            self.console.notices.tell(
                f"/{given.name} was not done: you had left. It stands there again.", "warning"
            )

    def slash(self, name: str, argument: str) -> None:
        """Do what a slash command does."""
        self.console.run_worker(self._slash(name, argument), group="slash")

    async def _slash(self, name: str, argument: str) -> None:
        from tui.slash.running import run

        if self.desk is None:
            self.console.notices.tell("All is not up yet. Try again in a moment.", "warning")
            return
        try:
            await run(self.console, self.desk, name, argument)
        except QuarterdeckError as error:
            self.console.tell_error(error)

    def operate(self, work: Callable[[Desk], Awaitable[None]]) -> None:
        """Do something that may take a while or ask; a foreseen failure is told."""
        if self.desk is not None:
            self.console.run_worker(self.console.attempt(work(self.desk)), group="operate")

    async def begin_new(self, desk: Desk) -> Place:
        """Go to where the next message begins a conversation, in the same folder. Raises StoreError."""
        place = await desk.begin(desk.current.path)
        self.console.show_place()
        self.console.want_listing()
        return place

    # Its turn, and what waits for one.

    def again(self) -> None:
        """Run a stalled turn again, or have Codex go on from there, or try once more to start."""
        console = self.console
        console.notices.clear()
        if console.failed_to_open:
            console.show_starting()
            console.start(console.composer.writing)
        elif self.desk is not None and self.desk.current.conversation is not None:
            place = self.desk.current
            conversation = self.desk.current.conversation
            console.ask(conversation.restart() if place.state.restartable else conversation.ask_again())

    def take_back(self, key: str) -> None:
        """Take a message that waits, the last one unless it is named, back into the composer."""
        if self.desk is not None and self.desk.current.waiting:
            waiting = self.desk.current.waiting
            entry = next((one for one in waiting if one.key == key), waiting[-1])
            self.console.ask(self._take_back(self.desk, entry))

    async def _take_back(self, desk: Desk, entry: OutboxEntry) -> None:
        place = desk.current
        await desk.take_back(place, entry)
        if place is desk.current:
            self.console.composer.take_back(entry.text, entry.attachments)
            self.console.composer.focus_input()
        else:
            place.writing.put_back(entry.text, entry.attachments)

    def send_first(self, key: str) -> None:
        """Have a message that waits go before the others."""
        if self.desk is not None and self.desk.current.conversation is not None:
            waiting = [entry.key for entry in self.desk.current.waiting]
            order = [key, *(one for one in waiting if one != key)]
            self.console.ask(self.desk.current.conversation.reorder(order))

    def end_orphans(self) -> None:
        """End what outlived a host that died."""
        if self.desk is not None and self.desk.current.conversation is not None:
            self.console.ask(self.desk.current.conversation.end_orphans())

    # Its history.

    def fork_from(self, box_id: int) -> None:
        """Go on in a copy that ends with the turn of a box."""
        self.operate(lambda desk: self.fork(desk, box_id))

    async def fork(self, desk: Desk, after_box: int | None) -> None:
        """Raises QuarterdeckError."""
        notices = self.console.notices
        conversation_id = desk.current.id
        if conversation_id is None:
            notices.tell("There is nothing to copy yet: send a message first.", "warning")
            return
        copy = await desk.engine.operations.fork(conversation_id, after_box)
        self.console.go_to(copy)
        notices.tell("This is a copy. The conversation it was made of stays as it is, in the list.")

    def revert_to(self, box_id: int) -> None:
        """Go back to before the turn of a box."""
        self.operate(lambda desk: self.revert(desk, box_id))

    async def revert(self, desk: Desk, before_box: int | None) -> None:
        """After the person agreed. What they had written first comes back into an empty composer.

        Raises QuarterdeckError.
        """
        place = desk.current
        if place.id is None:
            self.console.notices.tell("There is nothing to go back from yet.", "warning")
            return
        plan = await desk.engine.operations.plan_revert(place.id, before_box)
        palette = key_shown(self.console.app, "command_palette", "ctrl+p")
        if not await self.agreed(words_of_revert(plan, palette)):
            return
        await desk.engine.operations.revert(place.id, plan)
        if place is desk.current and not place.writing.text.strip():
            self.console.composer.put(plan.text)
            self.console.composer.focus_input()

    def show_taken_back(self) -> None:
        """Read what was taken back out of this conversation."""
        self.operate(self._show_taken_back)

    async def _show_taken_back(self, desk: Desk) -> None:
        from tui.screens.taken_back import TakenBackScreen

        here = desk.current.id
        boxes = await desk.engine.operations.reverted(here) if here is not None else ()
        if boxes:
            self.console.app.push_screen(TakenBackScreen(boxes))
        else:
            self.console.notices.tell("Nothing was taken back here.")

    async def agreed(self, question: Question) -> bool:
        """Ask before something that is not undone by itself."""
        from tui.screens.confirm import ConfirmScreen

        return bool(await self.console.app.push_screen_wait(ConfirmScreen(question)))

    # Sub-agents.

    def go_to_thread(self, thread_id: str) -> None:
        """To a sub-agent's conversation, which is made now where there is none."""
        self.operate(lambda desk: self._to_thread(desk, thread_id))

    def go_to_parent(self) -> None:
        """From a sub-agent's conversation to the one that began it."""
        if self.desk is not None and (parent := self.desk.current.parent) is not None:
            self.console.go_to(parent)

    async def _to_thread(self, desk: Desk, thread_id: str) -> None:
        self.console.go_to(await desk.engine.operations.conversation_of(thread_id))


def words_of_revert(plan: RevertPlan, palette: str) -> Question:
    """What is asked before going back; `palette` is the key of the palette."""
    from tui.screens.confirm import Question

    count = "one message of yours" if plan.messages == 1 else f"{plan.messages} messages of yours"
    lines = (
        f"To before: {safe.line(plan.text, WORDS_OF_A_MESSAGE)}",
        f"It goes, with all that came after: {count}, and what Codex answered. Codex will know nothing of it. It is "
        f"kept, but no longer shown here; {palette}, “Read what was taken back”, shows it.",
        "Files stay as they are: what Codex changed in them is not undone.",
    )
    return Question("Go back?", lines, no="No: leave everything as it is", yes="Yes: go back")
