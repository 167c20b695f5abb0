"""The inbox: everything that waits for a person, over all conversations and all programs on this Codex."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from core.agent.requests import Answer
from core.conversation.feed import ConversationsChanged, FeedEvent, Notification, NotificationChanged
from core.conversation.info import ConversationInfo
from core.errors import QuarterdeckError
from core.rows import NotificationState
from tui.inbox.details import Details
from tui.inbox.likeness import Group, Groups, grouped
from tui.inbox.together import Together
from tui.inbox.waiting_list import WaitingList
from tui.prompts.hearing import HearsPrompts
from tui.prompts.prompt import Prompt
from tui.prompts.words import asker, outcome
from tui.screens.opening import Jump, OverScreen
from tui.transcript import safe
from tui.widgets.key_bar import KeyBar

WIDE = 100
"""Cells from which on the details stand beside the list."""

TINY = 16
"""Rows below which the list gives way to the prompt that is answered."""

AGE_SECONDS = 30.0
"""How often what is said of ages is said anew."""


class InboxScreen(HearsPrompts, OverScreen):
    """The list has the focus; F6 or Enter goes into the prompt beside it, and only there anything is decided."""

    AUTO_FOCUS = "#inbox-list"
    counts_waiting = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f6", "answer", "Answer", priority=True, id="answer"),
        Binding("ctrl+o", "jump", "Its conversation", priority=True),
        Binding("ctrl+a", "alike", "All that ask the same"),
        Binding("s", "snooze", "Not now, or now again"),
        Binding("escape", "back", "Close"),
        Binding("f2", "dismiss(None)", "Close", show=False, id="inbox"),
    ]
    PART = "inbox"

    class Changed(Message):
        """The engine told something about what waits."""

    def compose(self) -> ComposeResult:
        self._infos: tuple[ConversationInfo, ...] = ()
        self._waiting = Groups()
        self._together = Together()
        self._settled: Notification | None = None
        """What became of the one that is shown."""
        self._told = False
        self._list = WaitingList(self._title_of, widget_id="inbox-list")
        self._details = Details(
            self._title_of, self.answering.kept, self._give_back, widget_id="inbox-details"
        )
        self._said = Static(id="inbox-said", markup=False)
        with Vertical(id="inbox"):
            with Horizontal(id="inbox-parts"):
                yield self._list
                yield self._details
            yield self._said
        yield KeyBar(urgent=("answer", "alike"), last=("help", "back"), always="back", widget_id="inbox-keys")

    def on_mount(self) -> None:
        self._stop_listening = self.engine.feed.listen(self._hear)
        self.set_interval(AGE_SECONDS, self._show)
        self.run_worker(self._read_titles, group="titles", exclusive=True)
        self._show()

    def on_unmount(self) -> None:
        self._stop_listening()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.height < TINY, "-tiny")

    def on_descendant_focus(self) -> None:
        """Where there is little room, it is for the one that is answered."""
        self.set_class(self.focused is not self._list, "-inside")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do nothing now are not shown."""
        del parameters
        shown = self._shown()
        match action:
            case "answer":
                return shown is not None
            case "jump":
                return shown is not None and shown.conversation_id is not None
            case "snooze":
                return self.focused is self._list and shown is not None
            case "alike":
                return self._together.wanted or self._together.possible(self._group())
            case _:
                return True

    def key_words(self, action: str) -> str | None:
        inside = self._details.prompt is not None and self._details.prompt.has_focus_within
        match action:
            case "answer" if inside:
                return "Next request" if len(self.engine.pending()) > 1 else ""
            case "alike" if self._together.wanted:
                return "Only this one"
            case "snooze" if (shown := self._shown()) is not None:
                return "Now again" if shown.snoozed else "Not now"
            case _:
                return None

    # What is shown.

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, NotificationChanged):
            notification, shown = event.notification, self._shown()
            if notification.state is not NotificationState.PENDING and shown is not None:
                self._settled = notification if notification.id == shown.id else self._settled
        elif not isinstance(event, ConversationsChanged):
            return
        if not self._told:
            self._told = True
            self.post_message(self.Changed())

    def on_inbox_screen_changed(self) -> None:
        self._told = False
        if self.closed:
            return
        self.run_worker(self._read_titles, group="titles", exclusive=True)
        self._tell_settled()
        self._show()

    async def _read_titles(self) -> None:
        with suppress(QuarterdeckError):
            self._infos = await self.engine.conversations()
        self._show()

    def _title_of(self, notification: Notification) -> str:
        return asker(notification, self._infos)

    def _show(self) -> None:
        pending = self.engine.pending()
        self._waiting = Groups(grouped(pending))
        self._together.pending(pending)
        self._list.show(self._waiting.groups, self._together.seen)
        self._list.display = bool(pending)
        self.query_one("#inbox").border_title = Content(_counted(len(pending)))
        self._show_chosen()

    def _show_chosen(self) -> None:
        """What the highlight is on; what was settled under the person's eyes stays until they leave it."""
        prompt = self._details.prompt
        if prompt is not None and self._settled is not None and self._settled.id == prompt.notification.id:
            self._details.show(self._settled)
        if not (self._settled_here() and prompt is not None and prompt.entered):
            chosen = self._waiting.get(self._list.chosen)
            if prompt is not None and (chosen is None or chosen.id != prompt.notification.id):
                self._together.wanted = False
                self._settled = None
            self._details.show(chosen, self._together.position(chosen, self._waiting.of(chosen)))
        self.refresh_bindings()

    def _settled_here(self) -> bool:
        """Was the one that is shown decided by somebody else, or taken back?"""
        prompt, settled = self._details.prompt, self._settled
        return (
            prompt is not None
            and settled is not None
            and settled.id == prompt.notification.id
            and not prompt.deciding
        )

    def _tell_settled(self) -> None:
        if self._settled is not None and self._settled_here():
            self._say(outcome(self._settled))

    def _shown(self) -> Notification | None:
        return self._details.prompt.notification if self._details.prompt is not None else None

    def _group(self) -> Group | None:
        return self._waiting.of(self._shown())

    def _say(self, text: str) -> None:
        self._said.update(Content(text))
        self._said.display = bool(text)

    # What the person does.

    def on_waiting_list_chosen(self, event: WaitingList.Chosen) -> None:
        event.stop()
        if event.notification_id == self._list.chosen:
            self._say("")
            self._show_chosen()

    def on_waiting_list_entered(self) -> None:
        self.action_answer()

    def on_prompt_seen_whole(self, event: Prompt.SeenWhole) -> None:
        """It was all on the screen."""
        self._together.saw(event.notification_id, event.shown_hash)
        self._list.show(self._waiting.groups, self._together.seen)
        self.refresh_bindings()

    def action_answer(self) -> None:
        """Go into the prompt; from within it, on to the next."""
        prompt = self._details.prompt
        if prompt is None:
            return
        if prompt.entered:
            self._next()
            prompt = self._details.prompt
        if prompt is not None:
            self.call_after_refresh(prompt.enter)

    def _next(self) -> None:
        following = self._waiting.after(self._shown())
        if following is not None:
            self._list.choose(following)
            self._show_chosen()

    def action_back(self) -> None:
        """Out of the prompt, to the list; from there, back."""
        if self.focused is not self._list and self._list.display:
            self._list.focus()
        else:
            self.dismiss(None)

    def action_jump(self) -> None:
        """To the conversation that asks."""
        shown = self._shown()
        if shown is not None and shown.conversation_id is not None:
            self.dismiss(Jump(shown.conversation_id))

    def action_snooze(self) -> None:
        shown = self._shown()
        if shown is not None:
            self.answering.put_off(shown.id, snoozed=not shown.snoozed)

    def action_alike(self) -> None:
        """Have one answer go to all that ask the same, each of which was shown; or take that back."""
        self._together.toggle(self._group())
        self._show_chosen()

    # What the prompt says.

    def decided_with(self, event: Prompt.Decided) -> dict[int, str]:
        self._say("")
        group = self._waiting.of(self._waiting.get(event.notification_id))
        return self._together.take(group) | super().decided_with(event)

    async def decide(self, answer: Answer, decided: dict[int, str]) -> None:
        shown = self._shown()
        await super().decide(answer, decided)
        if self.is_attached and shown is not None and shown == self._shown():
            self._list.focus()

    def not_decided(self, notification_id: int, error: QuarterdeckError) -> None:
        self.not_done(error)
        prompt = self._details.prompt
        if prompt is not None and prompt.notification.id == notification_id:
            prompt.failed(str(error))

    def not_done(self, error: QuarterdeckError) -> None:
        """Here, or on the console if this is closed already."""
        (self._say if self.is_attached else self.tell)(safe.line(str(error), 400))

    def tell_of_prompt(self, text: str) -> None:
        self._say(text)

    def leave_prompt(self) -> None:
        self._settled = None
        self._list.focus()
        self._show()

    def keep_filled(self) -> None:
        self._details.keep()

    def _give_back(self, conversation_id: str | None, text: str) -> None:
        self._say("What you had written stands in the message of its conversation now.")
        self.answering.give_back(conversation_id, text)

    def closing(self) -> None:
        self.keep_filled()


def _counted(count: int) -> str:
    return f"Inbox · {count} {'waits' if count == 1 else 'wait'} for you" if count else "Inbox"
