"""The console: each key is an action, each action is short."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType

from core.errors import QuarterdeckError
from tui.hangup import heed_signals, heed_signals_no_more, watch_terminal
from tui.screens.console_composing import ConsoleComposing
from tui.widgets.composer import Composer, MessageInput
from tui.widgets.newer_below import NewerBelow
from tui.widgets.session_list import SessionList

if TYPE_CHECKING:
    from tui.prompts.area import PromptArea
    from tui.prompts.mcp_link import LinkPrompt
    from tui.prompts.prompt import Prompt
    from tui.screens.opening import Jump
    from tui.screens.palette_entries import Entry
    from tui.transcript.view import TranscriptView
    from tui.widgets.sign_in import SignIn
    from tui.widgets.welcome import Welcome

TERMINAL = 0


class ConsoleScreen(ConsoleComposing):
    AUTO_FOCUS = "MessageInput"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f6", "answer", "Answer", priority=True),
        Binding("escape", "back", "Back, or interrupt the turn", show=False),
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
                return self._to_answer() is not None or self._waits_in() is not None
            case "again":
                place = self.desk.current if self.desk else None
                return self.failed_to_open or (place is not None and place.stalled)
            case "take_back":
                return self.desk is not None and bool(self.desk.current.waiting)
            case _:
                return True

    # Keys.

    def action_answer(self) -> None:
        """Go into what waits for the person, from within it on to the next, or to where something waits."""
        if target := self._to_answer():
            target.enter()
        elif conversation_id := self._waits_in():
            self.go_to(conversation_id)

    def _to_answer(self) -> PromptArea | SignIn | None:
        if self.prompts is not None and self.prompts.waiting:
            return self.prompts
        return self.sign_in if self.sign_in is not None and self.sign_in.display else None

    def _waits_in(self) -> str | None:
        """Another conversation in which something waits, the longest first."""
        elsewhere = self.desk.pending()[1] if self.desk is not None else ()
        return elsewhere[0].conversation_id if elsewhere else None

    def action_back(self) -> None:
        """Out of wherever one is, to the message; from there it interrupts, or takes a notice away."""
        if self.focused is not self.composer.input:
            super().action_back()
            self._leave_list()
            self.composer.focus_input()
        elif self.desk is not None and self.desk.current.running:
            self.action_interrupt()
        else:
            self.notices.dismiss()

    def action_new(self) -> None:
        self._leave_list()
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
            self.app.push_screen(over_screen(name, self.desk.engine), self._jump)

    def _jump(self, jump: Jump | None) -> None:
        if jump is not None:
            self.jump(jump)

    def action_help(self) -> None:
        from tui.screens.help import HelpScreen
        from tui.screens.keys import sections

        keys = self.quarterdeck.keys
        self.app.push_screen(HelpScreen(sections(keys), keys, self.key_problems))

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

    def _leave_list(self) -> None:
        self.remove_class("-list-over")

    # What the parts say.

    def on_composer_submitted(self, event: Composer.Submitted) -> None:
        if self.desk is not None:
            self.notices.dismiss()
        self.send(event.writing, event.message)

    def on_composer_edited(self, event: Composer.Edited) -> None:
        if self.desk is not None:
            self.desk.edited(event.writing)

    def on_message_input_paged(self, event: MessageInput.Paged) -> None:
        if event.step < 0:
            self.transcript.action_page_up()
        else:
            self.transcript.action_page_down()

    def on_welcome_chosen(self, event: Welcome.Chosen) -> None:
        self.go_to(event.conversation_id)

    def on_session_list_chosen(self, event: SessionList.Chosen) -> None:
        self._leave_list()
        self.composer.focus_input()
        self.go_to(event.conversation_id)

    def on_newer_below_clicked(self, event: NewerBelow.Clicked) -> None:
        event.stop()
        self.action_newest()

    def on_transcript_view_at_end_changed(self, event: TranscriptView.AtEndChanged) -> None:
        self.newer.show(event.new, at_end=event.at_end)

    def on_prompt_decided(self, event: Prompt.Decided) -> None:
        self.decide(event.notification_id, event.answer, event.shown_hash)

    def on_prompt_postponed(self, event: Prompt.Postponed) -> None:
        if self.desk is not None:
            self.desk.engine.snooze(event.notification_id)

    def on_prompt_area_brought_back(self, event: PromptArea.BroughtBack) -> None:
        if self.desk is not None:
            for notification_id in event.notification_ids:
                self.desk.engine.snooze(notification_id, snoozed=False)

    def on_prompt_rule_wanted(self, event: Prompt.RuleWanted) -> None:
        from tui.prompts.rule_maker import RuleMaker

        if self.desk is not None:
            self.app.push_screen(RuleMaker(self.desk.engine, event.notification), self._rule_made)

    def _rule_made(self, said: str | None) -> None:
        if said is not None:
            self.notices.tell(said)

    def on_prompt_left(self) -> None:
        self.composer.focus_input()

    def on_prompt_interrupted(self, event: Prompt.Interrupted) -> None:
        self.composer.focus_input()
        self.ask(self._interrupt(event.conversation_id))

    async def _interrupt(self, conversation_id: str | None) -> None:
        assert self.desk is not None
        if conversation_id is not None:
            conversation = await self.desk.engine.open(conversation_id)
            await conversation.interrupt()

    def on_prompt_area_settled(self, event: PromptArea.Settled) -> None:
        self.notices.tell(event.text)

    def on_link_prompt_opened(self, event: LinkPrompt.Opened) -> None:
        self.app.open_url(event.url)

    def on_sign_in_left(self) -> None:
        self.composer.focus_input()

    def on_sign_in_page_wanted(self, event: SignIn.PageWanted) -> None:
        self.app.open_url(event.url)

    def on_sign_in_wanted(self, event: SignIn.Wanted) -> None:
        if self.signing_in is not None:
            self.ask(self.signing_in.with_chatgpt(device=event.device))

    def on_sign_in_key_given(self, event: SignIn.KeyGiven) -> None:
        if self.signing_in is not None:
            self.ask(self.signing_in.with_key(event.key))

    # What the command palette asks.

    def palette_entries(self) -> list[Entry]:
        """Everything that can be done, with its key and its slash command."""
        from tui.screens.palette_entries import entries
        from tui.screens.palette_offers import ALWAYS, offered_now

        return entries(offered_now(self), ALWAYS, self.BINDINGS)

    def palette_conversations(self) -> Iterable[tuple[str, str]]:
        """Title and id of every conversation."""
        infos = self.desk.infos if self.desk is not None else ()
        return [(info.title or "New conversation", info.id) for info in infos]
