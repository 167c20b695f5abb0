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
from tui.browsing import open_page
from tui.inbox.details import Details
from tui.inbox.likeness import Group, Groups, grouped
from tui.inbox.waiting_list import WaitingList
from tui.prompts.choices import stops_turn
from tui.prompts.mcp_link import LinkPrompt
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


class InboxScreen(OverScreen):
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
        self._seen: dict[int, str] = {}
        """Those that were shown whole, with the hash of what was: no other is answered together with them."""
        self._alike = False
        """One answer is to go to all that ask the same as what is shown."""
        self._settled: Notification | None = None
        """What became of the one that is shown."""
        self._told = False
        self._list = WaitingList(self._title_of, widget_id="inbox-list")
        self._details = Details(self._title_of, widget_id="inbox-details")
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
                return self._alike or self._may_be_alike()
            case _:
                return True

    def key_words(self, action: str) -> str | None:
        inside = self._details.prompt is not None and self._details.prompt.has_focus_within
        match action:
            case "answer" if inside:
                return "Next request" if len(self.engine.pending()) > 1 else ""
            case "alike" if self._alike:
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
        self._seen = {one.id: one.shown_hash for one in pending if self._was_seen(one)}
        self._list.show(self._waiting.groups, self._seen)
        self._list.display = bool(pending)
        self.query_one("#inbox").border_title = Content(_counted(len(pending)))
        self._show_chosen()

    def _show_chosen(self) -> None:
        """What the highlight is on; what was settled under the person's eyes stays until they leave it."""
        prompt = self._details.prompt
        if prompt is not None and self._settled_here() and prompt.entered and self._settled is not None:
            self._details.show(self._settled)
        else:
            chosen = self._waiting.get(self._list.chosen)
            if prompt is not None and (chosen is None or chosen.id != prompt.notification.id):
                self._alike = False
                self._settled = None
            self._details.show(chosen, self._position(chosen))
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

    def _position(self, notification: Notification | None) -> str:
        group = self._waiting.of(notification)
        if notification is None or group is None or len(group.members) == 1:
            return ""
        if self._alike:
            return f"your answer goes to all {len(group.members)}"
        place = group.members.index(notification) + 1
        return f"{place} of {len(group.members)} that ask the same"

    def _shown(self) -> Notification | None:
        return self._details.prompt.notification if self._details.prompt is not None else None

    def _say(self, text: str) -> None:
        self._said.update(Content(text))
        self._said.display = bool(text)

    def _say_or_tell(self, text: str) -> None:
        """Here, or on the console if this is closed already."""
        (self._say if self.is_attached else self.tell)(safe.line(text, 400))

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
        self._seen[event.notification_id] = event.shown_hash
        self._list.show(self._waiting.groups, self._seen)
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
            self.engine.snooze(shown.id, snoozed=not shown.snoozed)

    def action_alike(self) -> None:
        """Have one answer go to all that ask the same, each of which was shown; or take that back."""
        self._alike = not self._alike and self._may_be_alike()
        self._show_chosen()

    def _may_be_alike(self) -> bool:
        shown = self._shown()
        group = self._waiting.of(shown)
        return group is not None and len(group.members) > 1 and self._all_seen(group)

    def _was_seen(self, notification: Notification) -> bool:
        return self._seen.get(notification.id) == notification.shown_hash

    def _all_seen(self, group: Group) -> bool:
        return all(map(self._was_seen, group.members))

    # What the prompt says.

    def on_prompt_decided(self, event: Prompt.Decided) -> None:
        event.stop()
        shown = self._waiting.get(event.notification_id)
        group = self._waiting.of(shown)
        members = group.members if self._alike and group is not None and self._all_seen(group) else ()
        hashes = {member.id: member.shown_hash for member in members}
        hashes[event.notification_id] = event.shown_hash
        self._alike = False
        self._say("")
        # Of the app: leaving this screen ends none of them.
        self.app.run_worker(self._decide(event.answer, hashes, event.notification_id), group="decide")

    async def _decide(self, answer: Answer, hashes: dict[int, str], shown: int) -> None:
        """One answer, to each by what was shown of it. What fails is told, and the others go on."""
        for notification_id, shown_hash in hashes.items():
            try:
                await self._take_back_for(answer, notification_id)
                await self.engine.decide(notification_id, answer, shown_hash)
            except QuarterdeckError as error:
                self._say_or_tell(str(error))
                prompt = self._details.prompt
                if prompt is not None and prompt.notification.id == notification_id:
                    prompt.failed(str(error))
        if self.is_attached and (prompt := self._details.prompt) and prompt.notification.id == shown:
            self._list.focus()

    async def _take_back_for(self, answer: Answer, notification_id: int) -> None:
        """What waits for after a turn that this answer ends."""
        asked = self._waiting.get(notification_id)
        if asked is not None and asked.conversation_id is not None and stops_turn(answer):
            await self.take_all_back(asked.conversation_id)

    def on_prompt_rule_wanted(self, event: Prompt.RuleWanted) -> None:
        from tui.prompts.rule_maker import RuleMaker

        event.stop()
        self.app.push_screen(RuleMaker(self.engine, event.notification), lambda said: self._say(said or ""))

    def on_prompt_left(self, event: Prompt.Left) -> None:
        event.stop()
        self._settled = None
        self._list.focus()
        self._show()

    def on_prompt_postponed(self, event: Prompt.Postponed) -> None:
        event.stop()
        self.engine.snooze(event.notification_id)
        self._list.focus()

    def on_prompt_interrupted(self, event: Prompt.Interrupted) -> None:
        event.stop()
        self._list.focus()
        if event.conversation_id is not None:
            self.app.run_worker(self._interrupt(event.conversation_id), group="interrupt")

    async def _interrupt(self, conversation_id: str) -> None:
        try:
            await self.take_all_back(conversation_id)
            await (await self.engine.open(conversation_id)).interrupt()
        except QuarterdeckError as error:
            self._say_or_tell(str(error))

    def on_link_prompt_opened(self, event: LinkPrompt.Opened) -> None:
        open_page(self.app, event.url, self._say)


def _counted(count: int) -> str:
    return f"Inbox · {count} {'waits' if count == 1 else 'wait'} for you" if count else "Inbox"
