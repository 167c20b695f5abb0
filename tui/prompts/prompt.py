"""What all prompts share: they show a request, are entered on purpose, and say what was decided.

A kind of request is a subclass that says what is judged, what can be chosen, and makes the answer.
"""

from __future__ import annotations

from time import monotonic

from textual import events
from textual.widget import Widget
from textual.widgets import Input

from core.agent.requests import Answer
from core.conversation.feed import Notification, NotificationState
from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.choices import Offer
from tui.prompts.face import Face, R
from tui.prompts.going import go_on
from tui.prompts.incomplete import Incomplete
from tui.prompts.keys_here import Focus
from tui.prompts.picker import Picker
from tui.prompts.reasons import Failed, Missing
from tui.prompts.saying import SayLine
from tui.prompts.sitting import Deed, Phase, Refused, Verdict

_SCROLLS = {
    "down": "action_scroll_down",
    "pagedown": "action_page_down",
    "space": "action_page_down",
    "pageup": "action_page_up",
}
"""What these keys do while the choices have the focus, by the name of what the body does."""


class Prompt(Face[R]):
    """One notification. It never takes the focus: `enter`, or a click on it, is the person's deed.

    What they do is told to the sitting, which says whether it counts.
    """

    # What a kind of prompt does.

    def answer(self, offer: Offer) -> Answer:
        """The answer that an offer stands for. Raises Incomplete."""
        if offer.answer is None:
            raise Incomplete("This version cannot answer that")
        return offer.answer

    def first(self) -> Widget:
        """Where the focus goes when the prompt is entered: alternatives that come first are under the arrows at
        once; else it is what is judged, so that a letter is a choice and nothing is typed unawares."""
        field = next(iter(self._body.query("Picker, Input")), None)
        return field if isinstance(field, Picker) else self._body

    def carry_out(self, offer: Offer) -> None:
        """What a kind does for a choice of its own (`Effect.OPEN`)."""

    # How it stands.

    @property
    def entered(self) -> bool:
        return self._sitting.entered

    @property
    def armed(self) -> bool:
        """Would a decision count now, if nothing had to be seen first?"""
        return self._sitting.phase is Phase.ARMED

    @property
    def settled(self) -> bool:
        """Is there nothing left to decide?"""
        return self._sitting.phase is Phase.SETTLED

    @property
    def deciding(self) -> bool:
        """Was a decision made here that was not taken back?"""
        return self._sitting.decided

    @property
    def ruling(self) -> bool:
        """Did the person go from here to where a rule is made of it?"""
        return self._sitting.ruling

    def update(self, notification: Notification) -> None:
        """What became of the notification, or what it asks now."""
        changed = notification.shown_hash != self.notification.shown_hash
        self.notification = notification
        if notification.state is not NotificationState.PENDING:
            self._sitting.settle()
        elif changed:
            self._end_saying()
            self._show_anew()
        else:
            self._sitting.weigh(self._asked())
        self._say_again()

    def failed(self, what: str) -> None:
        """The decision was not taken; `what` says why."""
        self._sitting.undecide(Failed(what))
        self._say_again()

    # What the person chooses.

    def choose(self, offer: Offer, when: float) -> None:
        """The person chose: it counts only where the sitting lets it. `when` is the key's or click's own time."""
        self._do(self._sitting.choose(offer, when), offer)

    def _do(self, verdict: Verdict, offer: Offer, message: str = "") -> None:
        match verdict:
            case Deed.DECIDE:
                self._decide(offer, message)
            case Deed.SAY:
                self._begin_saying(offer)
            case Deed.RULE:
                self.post_message(self.RuleWanted(self.notification))
            case Deed.OPEN:
                self.carry_out(offer)
            case Deed.INTERRUPT:
                self.post_message(self.Interrupted(self.notification.conversation_id))
            case Deed.POSTPONE:
                self.post_message(self.Postponed(self.notification.id))
            case Refused():
                pass
        self._say_again()

    def _decide(self, offer: Offer, message: str) -> None:
        try:
            answer = self.answer(offer)
        except Incomplete as missing:
            if missing.field is not None:
                missing.field.focus()
            self._sitting.undecide(Missing(missing.what))
            return
        if message:
            answer = answer.model_copy(update={"message": message})
        self.post_message(self.Decided(self.notification.id, answer, self.notification.shown_hash))

    def _begin_saying(self, offer: Offer) -> None:
        """Have the person write what goes with this refusal."""
        if self._line is None:
            self._line = SayLine(self._message)
            self.mount(self._line, before=self._choices)

    def _end_saying(self) -> None:
        self._sitting.stop_saying()
        if self._line is not None:
            self._message = self._line.input.value
            self._line.remove()
            self._line = None

    # Keys and mouse.

    def on_key(self, event: events.Key) -> None:
        """Letters, arrows and Enter on what is judged and on the choices; fields keep their own keys."""
        if event.key == "escape":
            event.stop()
            self._escape()
        elif self._line is not None and event.is_printable and event.character:
            # Typed before the line had the focus, or beside it: it is meant for the message, and is no choice.
            event.stop()
            event.prevent_default()
            self._line.input.insert_text_at_cursor(event.character)
            self._line.input.focus()
        elif self._take_key(event):
            event.stop()
            event.prevent_default()

    def _escape(self) -> None:
        if self._line is None or self.settled:
            self.post_message(self.Left())
            return
        self._end_saying()
        self._body.focus(scroll_visible=False)
        self._say_again()

    def _take_key(self, event: events.Key) -> bool:
        choices = self._choices
        if offer := choices.keyed(event.key):
            self.choose(offer, event.time)
            return True
        focused = self.screen.focused
        match self._focus(), event.key:
            case ((Focus.FIELD | Focus.LINE), ("up" | "down" as key)) if focused is not None:
                go_on(focused, 1 if key == "down" else -1)
            case Focus.CHOICES, key if key in _SCROLLS:
                getattr(self._body, _SCROLLS[key])()
            case Focus.CHOICES, "up":
                go_on(choices, -1)
            case ((Focus.TEXT | Focus.CHOICES), ("left" | "right" as key)):
                choices.move(1 if key == "right" else -1)
                self.refresh_bindings()
            case ((Focus.TEXT | Focus.CHOICES), "enter"):
                self._take_marked(event.time)
            case _:
                return False
        return True

    def _take_marked(self, when: float) -> None:
        if marked := self._choices.under_mark():
            self.choose(marked, when)
        else:
            self._sitting.choose_nothing()
            self._say_again()

    def on_choice_bar_clicked(self, event: ChoiceBar.Clicked) -> None:
        event.stop()
        self.choose(event.offer, event.time)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a field goes to the next one, and at last to the choices; in the message it is given."""
        event.stop()
        refusal = self._sitting.saying
        if self._line is None or refusal is None or event.input is not self._line.input:
            go_on(event.input)
        else:
            self._do(self._sitting.give_message(event.value, monotonic()), refusal, event.value.strip())

    def on_input_changed(self) -> None:
        self._filled_in()

    def on_picker_picked(self) -> None:
        self._filled_in()

    def _filled_in(self) -> None:
        if self._sitting.fill_in():
            self._say_again()

    # In and out.

    def on_mount(self) -> None:
        self.watch(self.app, "app_focus", self._terminal_is_back, init=False)

    def allow_focus_children(self) -> bool:
        """Tab never leads in from outside."""
        return self.entered

    def enter(self) -> None:
        """The person asked to go in: the focus lands on what is to be looked at, with nothing chosen."""
        self._sitting.enter(monotonic())
        self._choices.marked = None
        self.first().focus(scroll_visible=False)
        self._say_again()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A click goes in; only a later one decides."""
        if not self.entered and not self.settled:
            self._sitting.enter(event.time)
            self._say_again()
            self.call_after_refresh(self._focus_if_none)

    def _focus_if_none(self) -> None:
        if self.is_attached and not self.has_focus_within:
            self._body.focus(scroll_visible=False)

    def on_descendant_focus(self) -> None:
        """Whoever is in it is in it, however they came: from then on they look first."""
        if not self.settled:
            self._sitting.enter(monotonic())
        self._say_again()

    def on_descendant_blur(self) -> None:
        self.call_after_refresh(self._leave_if_out)

    def _terminal_is_back(self, focus: bool) -> None:
        """Textual gives the focus back to where it was: in here, that is the person coming in again."""
        if focus and self.entered:
            self._sitting.look_away()
            self.call_after_refresh(self._enter_again)

    def _enter_again(self) -> None:
        if self.is_attached and self.has_focus_within and not self.settled:
            self._sitting.enter(monotonic())
            self._say_again()
        else:
            self._leave_if_out()

    def _leave_if_out(self) -> None:
        # While the terminal is not looked at nothing has the focus, and nobody went anywhere.
        if self.is_attached and self.app.app_focus and not self.has_focus_within:
            self._sitting.leave()
            self._say_again()
