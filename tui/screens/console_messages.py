"""What the console's widgets say, and which ability it is for: one short handler a message, nothing decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import Conflict, NotFound, QuarterdeckError
from tui.browsing import open_page
from tui.prompts.hearing import HearsPrompts
from tui.screens.console_display import ConsoleDisplay
from tui.widgets.composer import Composer, MessageInput
from tui.widgets.newer_below import NewerBelow
from tui.widgets.notices import error_words
from tui.widgets.session_list import SessionList
from tui.widgets.status_line import StatusText

if TYPE_CHECKING:
    from tui.composing.command_pane import CommandPane
    from tui.console.answering import Answering
    from tui.console.blocks import Blocks
    from tui.console.inspecting import Inspecting
    from tui.console.operating import Operating
    from tui.console.reading import Reading
    from tui.console.shell_commands import ShellCommands
    from tui.console.stopping import Stopping
    from tui.console.switching import Switching
    from tui.inspector.inspector import Inspector
    from tui.prompts.area import PromptArea
    from tui.transcript.find_bar import FindBar
    from tui.transcript.view import TranscriptView
    from tui.widgets.sign_in import SignIn
    from tui.widgets.welcome import Welcome

SWITCHES = {
    "model": "model",
    "effort": "effort",
    "profile": "profile",
    "sandbox": "sandbox",
    "approvals": "sandbox",
}
"""Which switch a click on a part of the status line opens."""

SECTIONS = {"context": "usage", "branch": "changes"}
"""Which section of the inspector a click on another part opens."""


class ConsoleMessages(HearsPrompts, ConsoleDisplay):
    answering: Answering
    blocks: Blocks
    inspecting: Inspecting
    operating: Operating
    reading: Reading
    stopping: Stopping
    commands: ShellCommands
    switching: Switching

    # The composer.

    def on_composer_submitted(self, event: Composer.Submitted) -> None:
        if self.desk is not None:
            self.notices.dismiss()
        self.send(event.writing, event.message)

    def on_composer_edited(self, event: Composer.Edited) -> None:
        if self.desk is not None:
            self.desk.edited(event.writing)

    def on_composer_commanded(self, event: Composer.Commanded) -> None:
        self.operating.slash_given(event)

    def on_composer_told(self, event: Composer.Told) -> None:
        self.notices.tell(event.text, topic="composer")

    async def on_composer_shell_asked(self, event: Composer.ShellAsked) -> None:
        await self.commands.begin(event)

    def on_message_input_paged(self, event: MessageInput.Paged) -> None:
        if event.step < 0:
            self.transcript.action_page_up()
        else:
            self.transcript.action_page_down()

    # The pane of a command that the person runs.

    def on_command_pane_stopped(self) -> None:
        self.commands.stop()

    def on_command_pane_attached(self) -> None:
        self.commands.attach()

    def on_command_pane_dropped(self) -> None:
        self.commands.forget()

    def on_command_pane_typed(self, event: CommandPane.Typed) -> None:
        self.composer.focus_input()
        self.composer.input.post_message(event.key)

    # Lists, and what is around the conversation.

    def on_welcome_chosen(self, event: Welcome.Chosen) -> None:
        self.go_to(event.conversation_id)

    def on_session_list_chosen(self, event: SessionList.Chosen) -> None:
        self.fold_list()
        self.composer.focus_input()
        self.go_to(event.conversation_id)

    def on_status_text_clicked(self, event: StatusText.Clicked) -> None:
        event.stop()
        if switch := SWITCHES.get(event.name):
            self.switching.switch(switch)
        elif section := SECTIONS.get(event.name):
            self.run_worker(self.inspecting.enter(section), group="inspect")

    def on_inspector_section_shown(self) -> None:
        self.inspecting.turn_to_section()

    def on_inspector_read_again(self) -> None:
        self.inspecting.read_again()

    def on_inspector_opened(self, event: Inspector.Opened) -> None:
        self.inspecting.open(event)

    # The transcript.

    def on_newer_below_clicked(self, event: NewerBelow.Clicked) -> None:
        event.stop()
        self.transcript.action_scroll_end()

    def on_transcript_view_at_end_changed(self, event: TranscriptView.AtEndChanged) -> None:
        self.newer.show(event.new, at_end=event.at_end)

    def on_transcript_view_near_top(self, event: TranscriptView.NearTop) -> None:
        self.reading.want_earlier(event.document)

    def on_transcript_view_older_wanted(self, event: TranscriptView.OlderWanted) -> None:
        self.reading.want_earlier(event.document)

    def on_transcript_view_found(self, event: TranscriptView.Found) -> None:
        self.reading.show_found(event.number, event.count, event.searched)

    def on_find_bar_wanted(self, event: FindBar.Wanted) -> None:
        self.transcript.find(event.needle)

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        self.transcript.find_step(event.step)

    def on_find_bar_closed(self) -> None:
        self.reading.find_no_more()

    def on_transcript_view_copied(self, event: TranscriptView.Copied) -> None:
        self.notices.tell(f"Copied {event.characters} characters")

    def on_transcript_view_open_link(self, event: TranscriptView.OpenLink) -> None:
        self.blocks.copy_link(event.url)

    def on_transcript_view_quoted(self, event: TranscriptView.Quoted) -> None:
        self.blocks.quote(event.text)

    def on_transcript_view_open_wanted(self, event: TranscriptView.OpenWanted) -> None:
        self.blocks.open(event)

    def on_transcript_view_picture_wanted(self, event: TranscriptView.PictureWanted) -> None:
        self.blocks.show_picture(event.path)

    def on_transcript_view_fork_wanted(self, event: TranscriptView.ForkWanted) -> None:
        self.operating.fork_from(event.box_id)

    def on_transcript_view_revert_wanted(self, event: TranscriptView.RevertWanted) -> None:
        self.operating.revert_to(event.box_id)

    def on_transcript_view_thread_wanted(self, event: TranscriptView.ThreadWanted) -> None:
        event.stop()
        self.operating.go_to_thread(event.thread_id)

    # Prompts, and signing in.

    def leave_prompt(self) -> None:
        self.composer.focus_input()

    def keep_filled(self) -> None:
        if self.prompts is not None:
            self.prompts.lend()

    def tell_of_prompt(self, text: str) -> None:
        self.notices.tell(text)

    def not_done(self, error: QuarterdeckError) -> None:
        self.tell_error(error)

    def not_decided(self, notification_id: int, error: QuarterdeckError) -> None:
        """What was only late is said in the prompt, what failed beside it too."""
        if self.prompts is not None:
            self.prompts.failed(notification_id, error_words(error))
        if not isinstance(error, (Conflict, NotFound)):
            self.tell_error(error)

    def on_prompt_area_brought_back(self, event: PromptArea.BroughtBack) -> None:
        for notification_id in event.notification_ids:
            self.answering.put_off(notification_id, snoozed=False)

    def on_prompt_area_unsent(self, event: PromptArea.Unsent) -> None:
        self.answering.give_back(event.conversation_id, event.text)

    def on_prompt_area_settled(self, event: PromptArea.Settled) -> None:
        self.notices.tell(event.text)

    def on_sign_in_left(self) -> None:
        self.composer.focus_input()

    def on_sign_in_page_wanted(self, event: SignIn.PageWanted) -> None:
        open_page(self.app, event.url, self.notices.tell)

    def on_sign_in_wanted(self, event: SignIn.Wanted) -> None:
        self.answering.sign_in(device=event.device)

    def on_sign_in_key_given(self, event: SignIn.KeyGiven) -> None:
        self.answering.sign_in_with_key(event.key)
