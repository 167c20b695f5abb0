"""The console: what its keys do. What it shows and hears is in the classes below it, what it can do in its abilities."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType

from core.errors import QuarterdeckError
from tui.console.answering import Answering
from tui.console.away import TellingAway
from tui.console.blocks import Blocks
from tui.console.composing import Composing
from tui.console.configuring import Configuring
from tui.console.inspecting import Inspecting
from tui.console.key_words import KeyWords
from tui.console.operating import Operating
from tui.console.reading import Reading
from tui.console.shell_commands import ShellCommands
from tui.console.stopping import Stopping
from tui.console.switching import Switching
from tui.hangup import heed_signals, heed_signals_no_more, watch_terminal
from tui.keymap import with_keymap
from tui.launch import Launch
from tui.screens.console_messages import ConsoleMessages
from tui.screens.engine_screen import Opener

if TYPE_CHECKING:
    from core.conversation.choosing import Selected
    from core.settings import Settings
    from tui.console.ability import Ability
    from tui.hearing import Heard
    from tui.screens.opening import Jump
    from tui.screens.palette_entries import Entry
    from tui.widgets.key_chips import Chip

TERMINAL = 0


class ConsoleScreen(ConsoleMessages):
    AUTO_FOCUS = "MessageInput"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f6", "answer", "Answer", priority=True),
        Binding("escape", "back", "Back; or interrupt the turn, and take back what waits", show=False),
        Binding("f2", "over('inbox')", "Inbox", priority=True),
        Binding("f5", "again", "Run again", priority=True),
        Binding("ctrl+t", "take_back", "Take back", priority=True),
        Binding("f3", "over('sessions')", "Sessions", priority=True),
        Binding("ctrl+r", "over('sessions')", "Sessions", show=False),
        Binding("ctrl+n", "new", "New", priority=True),
        Binding("ctrl+b", "listing", "List", priority=True),
        Binding("f4", "over('ledger')", "Ledger", priority=True),
        Binding("f7", "over('rules')", "Rules", priority=True),
        Binding("alt+up,ctrl+pageup", "step(-1)", "Previous conversation", show=False, priority=True),
        Binding("alt+down,ctrl+pagedown", "step(1)", "Next conversation", show=False, priority=True),
        Binding("ctrl+end", "newest", "End of the conversation", show=False, priority=True),
        Binding(
            "ctrl+r",
            "recall",
            "Find what you said; with nothing written, sessions",
            show=False,
            priority=True,
        ),
        Binding("ctrl+g", "edit", "Write in $EDITOR", show=False, priority=True),
        Binding("ctrl+f", "find", "Find in the conversation", show=False, priority=True),
        Binding("ctrl+o", "inspect", "Inspector", show=False, priority=True),
        Binding("f8", "over('settings')", "Settings", show=False, priority=True),
        Binding("ctrl+p", "app.command_palette", "Commands", priority=True),
        Binding("f1", "help", "Help", priority=True),
        Binding("question_mark", "help", "Help", show=False),
        Binding("ctrl+q", "quit", "Quit", priority=True),
        Binding("ctrl+d", "quit", "Quit", show=False),
    ]

    _leaving = False

    def __init__(self, launch: Launch, opener: Opener | None = None) -> None:
        super().__init__(launch, opener)
        self.away = TellingAway(self)
        self.inspecting = Inspecting(self)
        self.configuring = Configuring(self)
        self.switching = Switching(self)
        self.reading = Reading(self)
        self.blocks = Blocks(self)
        self.answering = Answering(self)
        self.operating = Operating(self)
        self.stopping = Stopping(self)
        self.composing = Composing(self)
        self.commands = ShellCommands(self)
        self.telling_keys = KeyWords(self)
        self._abilities: tuple[Ability, ...] = (
            self.away,
            self.inspecting,
            self.configuring,
            self.switching,
            self.reading,
            self.blocks,
            self.answering,
            self.operating,
            self.stopping,
            self.composing,
            self.commands,
        )

    def on_mount(self) -> None:
        if self.launch.message:
            self.composer.put(self.launch.message)
            self.composer.submit(literally=True)
        self.call_after_refresh(self.start, self.composer.writing)
        heed_signals(self.action_quit)
        if not self.app.is_headless:
            loop = asyncio.get_running_loop()
            watch_terminal(TERMINAL, lambda: loop.call_soon_threadsafe(self.action_quit))

    def on_unmount(self) -> None:
        heed_signals_no_more()
        self.away.give_title_back()

    # What the abilities are told.

    def opened(self) -> None:
        super().opened()
        for ability in self._abilities:
            ability.opened()
        self.watch(self.app, "app_focus", self._focus_changed, init=False)

    def _focus_changed(self, focused: bool) -> None:
        for ability in self._abilities:
            ability.focus_changed(focused)

    def show_place(self) -> None:
        super().show_place()
        for ability in self._abilities:
            ability.place_shown()

    def show_thread(self) -> None:
        super().show_thread()
        for ability in self._abilities:
            ability.thread_shown()

    def show_heard(self, heard: Heard) -> None:
        super().show_heard(heard)
        for ability in self._abilities:
            ability.heard(heard)

    def settings_changed(self, settings: Settings) -> None:
        """Others hold from now on."""
        for ability in self._abilities:
            ability.settings_changed(settings)

    async def close(self) -> str:
        for ability in self._abilities:
            await ability.close()
        return await super().close()

    def selected(self) -> Selected | None:
        return self.switching.selected()

    def on_key(self, event: events.Key) -> None:
        """What was typed before anything had the focus is meant for the message."""
        composer = self.composer.input
        if self.focused in (None, composer) and composer.last_key is not event:
            event.stop()
            composer.post_message(events.Key(event.key, event.character))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do nothing now are not shown."""
        del parameters
        match action:
            case "answer":
                return self.answering.possible
            case "again":
                place = self.desk.current if self.desk else None
                return self.failed_to_open or (place is not None and place.stalled)
            case "take_back":
                return self.desk is not None and bool(self.desk.current.waiting)
            case "over" | "new" | "find" | "inspect" | "step" | "newest":
                return self.desk is not None
            case _:
                return True

    def key_words(self, action: str) -> str | None:
        return self.telling_keys.words(action)

    def key_chips(self) -> Iterable[Chip]:
        return self.telling_keys.chips()

    # Keys.

    def action_answer(self) -> None:
        """Go into what waits for the person, or to where something waits."""
        self.answering.enter()

    def action_back(self) -> None:
        """Out of wherever one is, to the message; from there it interrupts, or takes a notice away."""
        if self.focused is not self.composer.input:
            self.inspecting.back()
            self.fold_list()
            self.composer.focus_input()
        elif self.desk is not None and self.desk.current.running:
            self.stopping.interrupt()
        else:
            self.notices.dismiss()

    def action_new(self) -> None:
        self.fold_list()
        self.composer.focus_input()
        self.go_new()

    def action_listing(self) -> None:
        """Into the list, which is shown for it; from within it, hide it."""
        within = self.focused is self.sessions
        if self.has_class("-narrow"):
            self.set_class(not within, "-list-over")
        else:
            self.set_class(within, "-list-folded")
        if within:
            self.composer.focus_input()
        else:
            self.call_after_refresh(self.sessions.focus)

    def action_step(self, step: int) -> None:
        """To the next or the previous conversation, in the order of the list."""
        if self.desk is not None and (neighbour := self.sessions.neighbour(self.desk.current.id, step)):
            self.go_to(neighbour)

    def action_newest(self) -> None:
        self.transcript.action_scroll_end()

    def action_over(self, name: str) -> None:
        """Put one of the other screens over this one; where the person goes from there is shown here."""
        from tui.screens.opening import over_screen

        if self.desk is not None and self.app.screen is self:
            screen = over_screen(name, self.desk.engine)
            screen.tell = self.notices.tell
            self.answering.put_up(screen)
            self.app.push_screen(screen, self._jump)

    def _jump(self, jump: Jump | None) -> None:
        self.answering.put_away()
        if jump is not None:
            self.reading.jump(jump)

    def action_help(self) -> None:
        from tui.screens.help import HelpScreen
        from tui.screens.keys import sections

        keys = self.quarterdeck.keys
        self.app.push_screen(HelpScreen(sections(keys), keys, self.configuring.key_problems))

    def action_quit(self) -> None:
        """Answer nothing, stop nothing; say afterwards what goes on."""
        if not self._leaving:
            self._leaving = True
            self.show_leaving()
            self.run_worker(self._quit(), group="quit")

    async def _quit(self) -> None:
        unsent = [message.text for message in self.composer.writing.outgoing] if self.desk is None else []
        try:
            left = await self.close()
        except QuarterdeckError as error:
            left = str(error)
        kept = [f"Not sent, as Quarterdeck was not up yet: {text}" for text in unsent]
        self.app.exit("\n".join(part for part in (*kept, left) if part))

    # Keys, palette entries and slash commands of the abilities.

    async def action_inspect(self, section: str = "") -> None:
        await self.inspecting.enter(section)

    def action_switch(self, what: str) -> None:
        self.switching.switch(what)

    async def action_find(self) -> None:
        await self.reading.find()

    def action_recall(self) -> None:
        self.composing.recall()

    def action_history(self) -> None:
        self.composing.find_said()

    def action_edit(self) -> None:
        self.composing.edit()

    def action_undo(self) -> None:
        self.composing.undo()

    def action_redo(self) -> None:
        self.composing.redo()

    def action_parent(self) -> None:
        self.operating.go_to_parent()

    def action_slash(self, name: str, argument: str = "") -> None:
        self.operating.slash(name, argument)

    def action_interrupt(self) -> None:
        self.stopping.interrupt()

    def action_again(self) -> None:
        self.operating.again()

    def action_take_back(self, key: str = "") -> None:
        self.operating.take_back(key)

    def action_send_first(self, key: str) -> None:
        self.operating.send_first(key)

    def action_end_orphans(self) -> None:
        self.operating.end_orphans()

    def action_fork_from(self, box_id: int) -> None:
        self.operating.fork_from(box_id)

    def action_revert_to(self, box_id: int) -> None:
        self.operating.revert_to(box_id)

    def action_taken_back(self) -> None:
        self.operating.show_taken_back()

    def action_to(self, conversation_id: str) -> None:
        self.go_to(conversation_id)

    # What the command palette asks.

    def palette_entries(self) -> list[Entry]:
        """Everything that can be done, with its key and its slash command."""
        from tui.screens.palette_entries import entries
        from tui.screens.palette_offers import ALWAYS, offered_now

        return entries(offered_now(self), ALWAYS, with_keymap(self.BINDINGS, self.quarterdeck.keys))

    def palette_conversations(self) -> Iterable[tuple[str, str]]:
        """Title and id of every conversation."""
        infos = self.desk.infos if self.desk is not None else ()
        return [(info.title or "New conversation", info.id) for info in infos]
