"""The place above the composer where what waits for a person is shown, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from core.conversation.feed import Notification, NotificationState
from tui.prompts import fitting
from tui.prompts.filled import Filled
from tui.prompts.kept import Kept, decided_in
from tui.prompts.kinds import prompt_for
from tui.prompts.prompt import Prompt
from tui.prompts.words import outcome
from tui.widgets.key_names import key_shown

AGE_SECONDS = 30.0
"""How often what is said of a prompt's age is said anew."""


class PromptArea(Vertical):
    """Shows the oldest pending one that was not put off; `enter` goes into it, and on to the next.

    Whatever comes or goes, the focus is where the person put it.
    """

    class Settled(Message):
        """Something that was shown here was decided elsewhere, or is no longer asked."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Unsent(Message):
        """What was written in a prompt has nowhere to go there any more."""

        def __init__(self, conversation_id: str | None, text: str) -> None:
            super().__init__()
            self.conversation_id = conversation_id
            self.text = text

    class BroughtBack(Message):
        """What was put off is wanted again."""

        def __init__(self, notification_ids: tuple[int, ...]) -> None:
            super().__init__()
            self.notification_ids = notification_ids

    def __init__(
        self, widget_id: str, title_of: Callable[[Notification], str] = lambda _: "", kept: Kept | None = None
    ) -> None:
        """`title_of`: the title of the conversation that asks. `kept`: what was put in where it was shown before."""
        super().__init__(id=widget_id)
        self._title_of = title_of
        self._kept = kept or Kept()
        self._pending: dict[int, Notification] = {}
        self._prompt: Prompt[Any] | None = None
        self._lent: Filled | None = None
        """What is put into the one that is shown, while another screen may change it."""
        self._note = Static(classes="put-off")
        self._rows = 12

    def compose(self) -> ComposeResult:
        yield self._note

    def on_mount(self) -> None:
        self._note.display = False
        self.set_interval(AGE_SECONDS, self._lay_out)

    @property
    def kept(self) -> Kept:
        """What was put into prompts that are away."""
        return self._kept

    @property
    def prompt(self) -> Prompt[Any] | None:
        """The one that is shown."""
        return self._prompt

    @property
    def waiting(self) -> bool:
        """Is there anything to go into?"""
        return bool(self._pending)

    @property
    def others(self) -> bool:
        """Is there another one to go on to from what is shown?"""
        shown = self._prompt.notification.id if self._prompt is not None else None
        return any(id_ != shown for id_ in self._pending if id_ not in self._put_off)

    @property
    def _put_off(self) -> tuple[int, ...]:
        return tuple(id_ for id_, one in self._pending.items() if one.snoozed)

    def show(self, pending: Iterable[Notification], here: str | None = None) -> None:
        """These wait, and no others: of another conversation, which is `here`, or after a start."""
        self._pending = {notification.id: notification for notification in pending}
        prompt = self._prompt
        if prompt is not None and (prompt.settled or prompt.notification.id not in self._pending):
            self._remove()
        for notification_id in self._kept.asked_in(here):
            self._give_back_unless(here, notification_id, self._pending.get(notification_id))
        self._lay_out()

    def lend(self) -> None:
        """Another screen is put up: what is put in here is to be found there."""
        prompt = self._prompt
        if prompt is not None and self._lent is None and not (prompt.deciding or prompt.settled):
            self._lent = prompt.filled
            self._kept.keep(prompt.notification, self._lent)

    def take_again(self) -> None:
        """That screen is gone: what was changed there is changed here, what was decided there is done with."""
        prompt, lent = self._prompt, self._lent
        if prompt is None or lent is None:
            return
        self._lent = None
        filled = self._kept.take(prompt.notification.id)
        if prompt.settled:
            self._leave_and_remove(sent=True)
        elif filled is not None and filled != lent:
            self._kept.keep(prompt.notification, filled)
            self._leave_and_remove(sent=True)
            self._show(prompt.notification)
        self._lay_out()

    def update(self, notification: Notification) -> None:
        """A notification is new, changed, or settled."""
        if notification.state is NotificationState.PENDING:
            self._pending[notification.id] = notification
        else:
            self._pending.pop(notification.id, None)
        prompt = self._prompt
        if prompt is not None and prompt.notification.id == notification.id:
            if notification.snoozed and not prompt.entered:
                self._remove()
            else:
                self._update_shown(prompt, notification)
        asks = notification.conversation_id
        self._give_back_unless(asks, notification.id, self._pending.get(notification.id))
        self._lay_out()

    def _update_shown(self, prompt: Prompt[Any], notification: Notification) -> None:
        if prompt.filled_in and notification.shown_hash != prompt.notification.shown_hash:
            self.post_message(self.Settled("What was asked has changed: look again"))
            self._leave_and_remove()
            return
        ours = decided_in(prompt, notification)
        prompt.update(notification)
        if prompt.settled and (ours or not prompt.entered):
            if not ours:
                self.post_message(self.Settled(outcome(notification)))
            self._leave_and_remove(sent=ours)

    def retitle(self) -> None:
        """A conversation may have another title, or a key be another one."""
        self._lay_out()

    def failed(self, notification_id: int, what: str) -> None:
        """The decision on one was not taken."""
        if self._prompt is not None and self._prompt.notification.id == notification_id:
            self._prompt.failed(what)

    def enter(self) -> None:
        """Go into the prompt; from within it, on to the next. What was put off comes back at the end."""
        prompt = self._prompt
        if prompt is not None and prompt.entered:
            self._next()
        elif prompt is None and self._put_off:
            back = self._put_off
            for id_ in back:
                self._pending[id_] = replace(self._pending[id_], snoozed=False)
            self.post_message(self.BroughtBack(back))
            self._lay_out()
        if self._prompt is not None:
            self.call_after_refresh(self._prompt.enter)

    def fit(self, rows: int) -> None:
        """The screen gives prompts `rows` rows at most."""
        self._rows = rows
        self._limit()

    def on_descendant_focus(self) -> None:
        self._limit()

    def on_descendant_blur(self) -> None:
        self.call_after_refresh(self._limit)

    def _limit(self) -> None:
        if self._prompt is not None:
            fitting.fit(self._prompt, self._rows - int(self._note.display))

    def on_prompt_postponed(self, event: Prompt.Postponed) -> None:
        """The screen hears it too and moves the focus away."""
        asked = self._pending.get(event.notification_id)
        if asked is not None:
            self._pending[asked.id] = replace(asked, snoozed=True)
        self._leave_and_remove()
        self._lay_out()

    def on_prompt_left(self) -> None:
        if self._prompt is not None and self._prompt.settled:
            self._leave_and_remove()
            self._lay_out()

    def _next(self) -> None:
        """Show the one after the one that is shown."""
        ids = [id_ for id_ in self._pending if id_ not in self._put_off]
        shown = self._prompt.notification.id if self._prompt is not None else None
        if not ids or ids == [shown]:
            return
        place = ids.index(shown) + 1 if shown in ids else 0
        self._remove()
        self._show(self._pending[ids[place % len(ids)]])
        self._lay_out()

    def _lay_out(self) -> None:
        """Show something if nothing is shown, and say what else waits."""
        ids = [id_ for id_ in self._pending if id_ not in self._put_off]
        if self._prompt is None and ids:
            self._show(self._pending[ids[0]])
        if self._prompt is not None:
            shown = self._prompt.notification.id
            several = len(ids) > 1 and shown in ids
            position = f"{ids.index(shown) + 1} of {len(ids)}" if several else ""
            self._prompt.place(position, self._title_of(self._prompt.notification))
        self._say_put_off()
        self.display = bool(self._prompt or self._put_off)

    def _say_put_off(self) -> None:
        count = len(self._put_off)
        words = "one request" if count == 1 else f"{count} requests"
        key = key_shown(self.app, "answer", "f6")
        back = f" · {key} brings it back" if self._prompt is None else ""
        self._note.display = bool(count)
        self._note.update(Content(f"{words} put off{back}"))

    def _show(self, notification: Notification) -> None:
        self._prompt = prompt_for(notification)
        self._limit()
        self._prompt.given = self._kept.take(notification.id)
        self.mount(self._prompt, before=0)

    def _leave_and_remove(self, *, sent: bool = False) -> None:
        prompt = self._prompt
        if prompt is not None and prompt.has_focus_within:
            self.post_message(Prompt.Left())
        self._remove(sent=sent)

    def _remove(self, *, sent: bool = False) -> None:
        """`sent`: what was put in went with the answer; else it is kept, or given back where it cannot be sent."""
        prompt, self._prompt = self._prompt, None
        lent, self._lent = self._lent is not None, None
        if prompt is None:
            return
        notification = prompt.notification
        if not (sent or lent):
            self._kept.keep(notification, prompt.filled)
        if not sent:
            asked = None if prompt.settled else notification
            self._give_back_unless(notification.conversation_id, notification.id, asked)
        prompt.remove()

    def _give_back_unless(
        self, conversation_id: str | None, notification_id: int, asked: Notification | None
    ) -> None:
        if text := self._kept.give_back_unless(notification_id, asked):
            self.post_message(self.Unsent(conversation_id, text))
