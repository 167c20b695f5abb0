"""The prompt of what is chosen in the inbox: the same widget, with the same guards, as in its conversation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from core.conversation.feed import Notification
from tui.prompts import fitting
from tui.prompts.kept import Kept, decided_in
from tui.prompts.kinds import prompt_for
from tui.prompts.prompt import Prompt

NOTHING = """Nothing waits for you.

What Codex asks comes here, from all your conversations, from their sub-agents, and from other programs \
on the same Codex: commands, patches, rights, questions, forms.

It also stands above the message of its own conversation."""


class Details(Vertical):
    """Holds one prompt, or says what comes here. The focus is only where the person put it."""

    def __init__(
        self,
        title_of: Callable[[Notification], str],
        kept: Kept,
        give_back: Callable[[str | None, str], None],
        *,
        widget_id: str,
    ) -> None:
        """`kept`: what was put in where it was shown before. `give_back` is given what was written in a prompt and has
        nowhere to go there any more, with the conversation that asked."""
        super().__init__(id=widget_id)
        self._title_of = title_of
        self._kept = kept
        self._give_back = give_back
        self._nothing = Static(Content(NOTHING), id="inbox-nothing")
        self._prompt: Prompt[Any] | None = None

    def compose(self) -> ComposeResult:
        yield self._nothing

    @property
    def prompt(self) -> Prompt[Any] | None:
        """The one that is shown."""
        return self._prompt

    def show(self, notification: Notification | None, position: str = "") -> None:
        """Show this one. One that is shown already is brought up to date."""
        prompt = self._prompt
        if notification is None:
            self._put_away()
        elif prompt is not None and prompt.notification.id == notification.id:
            self._update(prompt, notification)
        else:
            self._put_away()
            self._put_up(notification)
        if self._prompt is not None and notification is not None:
            self._prompt.typed = f"s {'takes it up again' if notification.snoozed else 'puts it off'}"
            self._prompt.place(position, self._title_of(notification))
        self._nothing.display = self._prompt is None

    def on_mount(self) -> None:
        self.screen.screen_layout_refresh_signal.subscribe(self, self._fit, immediate=True)

    def _update(self, prompt: Prompt[Any], notification: Notification) -> None:
        if prompt.filled_in and notification.shown_hash != prompt.notification.shown_hash:
            self._put_away()
            self._put_up(notification)
        else:
            prompt.update(notification)

    def _put_up(self, notification: Notification) -> None:
        self._give_back_unless(notification.id, notification.conversation_id, notification)
        self._prompt = prompt_for(notification)
        self._prompt.given = self._kept.take(notification.id)
        self._fit()
        self.mount(self._prompt)

    def keep(self) -> None:
        """What is put in is to be found where the request is shown next; what can be sent no more is given back."""
        prompt = self._prompt
        if prompt is None or decided_in(prompt, prompt.notification):
            return
        asked = prompt.notification
        self._kept.keep(asked, prompt.filled)
        self._give_back_unless(asked.id, asked.conversation_id, None if prompt.settled else asked)

    def _give_back_unless(
        self, notification_id: int, conversation_id: str | None, asked: Notification | None
    ) -> None:
        if text := self._kept.give_back_unless(notification_id, asked):
            self._give_back(conversation_id, text)

    def _put_away(self) -> None:
        self.keep()
        if self._prompt is not None:
            if self._prompt.has_focus_within:
                self.post_message(Prompt.Left())
            self._prompt.remove()
            self._prompt = None

    def _fit(self, *_: object) -> None:
        if self._prompt is not None:
            fitting.fit(self._prompt, self.size.height)
