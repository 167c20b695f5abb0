"""What all prompts share: they show a request, are entered on purpose, and say what was decided.

A kind of request is a subclass that says what is judged, what can be chosen, and makes the answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic, time
from typing import ClassVar, Generic, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from core.agent.requests import Answer, Request
from core.conversation.feed import Notification, NotificationState
from tui.prompts import gate, keys_here
from tui.prompts.body import Body
from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.choices import NEED_ALL_SEEN, Effect, Offer, offered
from tui.prompts.filled import Filled, filled_of, values_of
from tui.prompts.going import go_on
from tui.prompts.incomplete import Incomplete
from tui.prompts.judged_text import JudgedText
from tui.prompts.lines import Judged
from tui.prompts.picker import Picker
from tui.prompts.saying import SayLine
from tui.prompts.seen import Seen
from tui.prompts.tells import Tells
from tui.prompts.words import age, doubt_of, outcome, whence
from tui.transcript import safe
from tui.transcript.panes.words import count
from tui.widgets.key_chips import Chip, TellsKeys
from tui.widgets.key_names import key_shown

_SCROLLS = {
    "down": "action_scroll_down",
    "pagedown": "action_page_down",
    "space": "action_page_down",
    "pageup": "action_page_up",
}
"""What these keys do while the choices have the focus, by the name of what the body does."""

R = TypeVar("R", bound=Request)


class Prompt(Tells, TellsKeys, Generic[R], Vertical):
    """One notification. It never takes the focus: `enter`, or a click on it, is the person's deed."""

    heading = "Codex asks"

    filled_in: ClassVar[bool] = False
    """Has it fields? Then another request, even of the same number, gets a prompt of its own."""

    def __init__(self, notification: Notification) -> None:
        super().__init__(classes="prompt")
        self.notification = notification
        self.request = cast(R, notification.request)
        self.position = ""
        self.typed = "typing goes to the message"
        """What typing does while nobody went in."""
        self._judged = self.judge()
        self._body = Body()
        self._text = JudgedText(self._judged)
        self._text.display = bool(self._judged.lines)
        self._choices = ChoiceBar(self._offered())
        self._gate = gate.Gate(monotonic())
        self._seen = Seen()
        self._said = ""
        self._missing = ""
        """What was said of the fields: until something is filled in."""
        self._outcome = ""
        self._deciding = False
        self.ruling = False
        """Did the person go from here to where a rule is made of it?"""
        self._quiet: Timer | None = None
        self._whence = Static(whence(notification, ""), classes="prompt--whence")
        self._line: SayLine | None = None
        self._limited_to = 0
        self._message = ""
        self._begun: tuple[str, ...] = ()
        self.given: Filled | None = None
        """What the person had put in before, when this request was shown last."""

    # What a kind of prompt says.

    def judge(self) -> Judged:
        """What is shown of the request."""
        raise NotImplementedError

    def offers(self) -> tuple[Offer, ...]:
        """What can be chosen."""
        raise NotImplementedError

    def fields(self) -> Iterable[Widget]:
        """What is filled in, below the text."""
        return ()

    def ruled(self) -> bool:
        """Can a rule decide such requests?"""
        return False

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

    # The widget.

    def compose(self) -> ComposeResult:
        with self._body:
            yield self._text
            yield from self.fields()
            yield self._whence
        yield self._choices

    def on_mount(self) -> None:
        self._begun = values_of(self._body)
        if self.given is not None:
            self.given.put_into(self._body)
            self._message = self.given.message
        self.watch(self._body, "scroll_y", self._look, init=False)
        self.screen.screen_layout_refresh_signal.subscribe(self, self._look_again)
        self.app.screen_change_signal.subscribe(self, self._look_again)
        self.watch(self.app, "app_focus", self._terminal_is_back, init=False)
        self._wait_for_quiet()

    def allow_focus_children(self) -> bool:
        """Tab never leads in from outside."""
        return self._gate.entered

    @property
    def entered(self) -> bool:
        return self._gate.entered

    @property
    def armed(self) -> bool:
        """Would a decision count now, if nothing had to be seen first?"""
        return self.entered and self._quiet is None and not self.settled and not self._deciding

    @property
    def settled(self) -> bool:
        """Is there nothing left to decide?"""
        return bool(self._outcome)

    @property
    def deciding(self) -> bool:
        """Was a decision made here that the engine has not taken yet?"""
        return self._deciding

    @property
    def filled(self) -> Filled:
        """What the person put in."""
        message = self._message if self._line is None else self._line.input.value
        return filled_of(self._body, self._begun, message)

    def enter(self) -> None:
        """The person asked to go in: the focus lands on what is to be looked at, with nothing chosen."""
        self._gate.enter(monotonic())
        self._choices.marked = None
        self.first().focus(scroll_visible=False)
        self._wait_for_quiet()

    def limit(self, rows: int) -> None:
        """The body may take `rows` rows; what is more is scrolled."""
        if rows != self._limited_to:
            self._limited_to = rows
            self._body.styles.max_height = rows

    @property
    def around(self) -> int | None:
        """Rows that it takes besides its body; None before it was laid out."""
        return self.outer_size.height - self._body.outer_size.height or None

    def place(self, position: str, title: str = "") -> None:
        """Which of how many it is, in words ("" for the only one), and the title of its conversation."""
        self.position = position
        self._whence.update(whence(self.notification, title))
        self._say_again()

    def _offered(self) -> tuple[Offer, ...]:
        """What can be chosen here."""
        told = self.notification.conversation_id is not None
        return offered(self.offers(), told=told, ruled=self.ruled())

    def update(self, notification: Notification) -> None:
        """What became of the notification, or what it asks now."""
        changed = notification.shown_hash != self.notification.shown_hash
        self.notification = notification
        if notification.state is not NotificationState.PENDING:
            self._outcome = outcome(notification)
        elif changed:
            self.request = cast(R, notification.request)
            self._gate.change(monotonic())
            self._seen = Seen()
            self._judged = self.judge()
            self._deciding = False
            self._text.show(self._judged)
            self._text.display = bool(self._judged.lines)
            self._choices.show(self._offered())
            self._end_saying()
            self._said = "What is asked has changed: look again"
            self._body.scroll_home(animate=False)
            self._wait_for_quiet()
        self._say_again()

    def failed(self, what: str) -> None:
        """The decision was not taken; `what` says why."""
        self._deciding = False
        self._said = safe.line(what)
        self._say_again()

    def choose(self, offer: Offer, when: float) -> None:
        """The person chose: it counts only where the gate lets it. `when` is the key's or click's own time."""
        if self.settled or self._deciding:
            return
        if offer.effect is Effect.LATER:
            self.post_message(self.Postponed(self.notification.id))
            return
        if offer.effect is Effect.NONE:
            self._refuse("This version does not know that choice")
            return
        accepts = offer.effect in NEED_ALL_SEEN
        if refusal := self._gate.refuse(when, accepts=accepts):
            self._refuse(refusal)
        elif accepts and not self._judged.complete:
            self._refuse(f"It cannot be accepted here: {self._judged.lacks}")
        elif (
            accepts
            and (doubt := doubt_of(self.notification.cautions, odd=self._judged.odd))
            and not self._gate.twice(offer.label, when)
        ):
            self._refuse(f"{doubt}: press {offer.key or 'Enter'} once more if you mean it")
        elif offer.effect is Effect.OPEN:
            self.carry_out(offer)
        elif offer.effect is Effect.RULE:
            self.ruling = True
            self.post_message(self.RuleWanted(self.notification))
        elif offer.effect is Effect.INTERRUPT:
            self.post_message(self.Interrupted(self.notification.conversation_id))
        elif offer.effect is Effect.SAY:
            self._begin_saying(offer)
        else:
            self._decide(offer)

    def _begin_saying(self, offer: Offer) -> None:
        """Have the person write what goes with this refusal."""
        if self._line is None:
            self._line = SayLine(offer, self._message)
            self.mount(self._line, before=self._choices)
        self._line.refusal = offer
        self._say_again()

    def _end_saying(self) -> None:
        if self._line is not None:
            self._message = self._line.input.value
            self._line.remove()
            self._line = None

    def _decide(self, offer: Offer, message: str = "") -> None:
        try:
            answer = self.answer(offer)
            if message:
                answer = answer.model_copy(update={"message": message})
        except Incomplete as missing:
            if missing.field is not None:
                missing.field.focus()
            self._refuse(missing.what)
            self._missing = missing.what
            return
        self._deciding = True
        self._said = ""
        self._say_again()
        self.post_message(self.Decided(self.notification.id, answer, self.notification.shown_hash))

    def _refuse(self, why: str) -> None:
        self._said = why
        self._wait_for_quiet()

    # Keys and mouse.

    def on_key(self, event: events.Key) -> None:
        """Letters, arrows and Enter on what is judged and on the choices; fields keep their own keys."""
        if event.key == "escape" and self._line is not None and not self.settled:
            event.stop()
            self._end_saying()
            self._body.focus(scroll_visible=False)
            self._say_again()
        elif event.key == "escape":
            event.stop()
            self.post_message(self.Left())
        elif self._line is not None and event.is_printable and event.character:
            # Typed before the line had the focus, or beside it: it is meant for the message, and is no choice.
            event.stop()
            event.prevent_default()
            self._line.input.insert_text_at_cursor(event.character)
            self._line.input.focus()
        elif self._take_key(event):
            event.stop()
            event.prevent_default()

    def _take_key(self, event: events.Key) -> bool:
        choices = self._choices
        if offer := choices.keyed(event.key):
            self.choose(offer, event.time)
            return True
        focused = self.screen.focused
        if isinstance(focused, Input) and event.key in ("up", "down"):
            go_on(focused, 1 if event.key == "down" else -1)
            return True
        if focused not in (self._body, choices):
            return False
        if focused is choices and event.key in _SCROLLS:
            getattr(self._body, _SCROLLS[event.key])()
            return True
        if focused is choices and event.key == "up":
            go_on(choices, -1)
            return True
        if event.key in ("left", "right"):
            choices.move(1 if event.key == "right" else -1)
            self.refresh_bindings()
            return True
        if event.key == "enter":
            if marked := choices.under_mark():
                self.choose(marked, event.time)
            else:
                self._refuse("Nothing is chosen yet: a letter, or ←→ and Enter")
            return True
        return False

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A click goes in; only a later one decides."""
        if not self.entered and not self.settled:
            self._gate.enter(event.time)
            self._wait_for_quiet()
            self.call_after_refresh(self._focus_if_none)

    def _focus_if_none(self) -> None:
        if self.is_attached and not self.has_focus_within:
            self._body.focus(scroll_visible=False)

    def on_choice_bar_clicked(self, event: ChoiceBar.Clicked) -> None:
        event.stop()
        self.choose(event.offer, event.time)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a field goes to the next one, and at last to the choices; in the message it is given."""
        event.stop()
        if self._line is None or event.input is not self._line.input:
            go_on(event.input)
        elif not event.value.strip():
            self._refuse("Write something to Codex first, or Esc")
        elif not self.settled and not self._deciding:
            if refusal := self._gate.refuse(monotonic(), accepts=False):
                self._refuse(refusal)
            else:
                self._decide(self._line.refusal, event.value.strip())

    def on_input_changed(self) -> None:
        self._filled_in()

    def on_picker_picked(self) -> None:
        self._filled_in()

    def _filled_in(self) -> None:
        if self._missing and self._said == self._missing:
            self._said = self._missing = ""
            self._say_again()

    def on_descendant_focus(self) -> None:
        """Whoever is in it is in it, however they came: from then on they look first."""
        if not self.entered and not self.settled:
            self._gate.enter(monotonic())
            self._wait_for_quiet()
        self._say_again()

    def on_descendant_blur(self) -> None:
        self.call_after_refresh(self._leave_if_out)

    def _terminal_is_back(self, focus: bool) -> None:
        """Textual gives the focus back to where it was: in here, that is the person coming in again."""
        if focus and self.entered:
            self._gate.leave()
            self.call_after_refresh(self._enter_again)

    def _enter_again(self) -> None:
        if self.is_attached and self.has_focus_within and not self.settled:
            self._gate.enter(monotonic())
            self._wait_for_quiet()
        else:
            self._leave_if_out()

    def _leave_if_out(self) -> None:
        # While the terminal is not looked at nothing has the focus, and nobody went anywhere.
        if self.is_attached and self.app.app_focus and not self.has_focus_within:
            self._gate.leave()
            self._said = ""
            self._say_again()

    def key_words(self, action: str) -> str | None:
        match action:
            case "back":
                return ""  # Escape is the prompt's own.
            case "submit":
                return "" if self._saying_here() else "Go on"
            case _:
                return None

    def key_chips(self) -> Iterable[Chip]:
        line = self._line
        return keys_here.chips_of(
            keys_here.Standing(
                settled=self.settled,
                deciding=self._deciding,
                saying=self._saying_here(),
                written=line is not None and bool(line.input.value.strip()),
                chooses=self.screen.focused in (self._body, self._choices),
                marked=self._choices.marked is not None,
            )
        )

    def _saying_here(self) -> bool:
        return self._line is not None and self.screen.focused is self._line.input

    # What is seen and said.

    def _look_again(self, _screen: object) -> None:
        self._look()

    def _look(self) -> None:
        """Take note of what of the request is on the screen now: nothing before it has its place there."""
        window = self._body.window()
        if window is None or not self._text.laid_out:
            return
        top, height, width = window
        before = self._seen.whole, self._seen.missing
        self._seen.look(top, height, self._rows(), width)
        if (self._seen.whole, self._seen.missing) == before:
            return
        if self._seen.whole and not self._gate.seen:
            self.post_message(self.SeenWhole(self.notification.id, self.notification.shown_hash))
        self._gate.see(self._seen.whole)
        if self._seen.whole and self._said == gate.UNSEEN:
            self._said = ""
        self._say_again()

    def _rows(self) -> int:
        """Of what is judged and what is filled in; what is said about it below is no part of it."""
        parts = (part for part in self._body.children if part.display and part is not self._whence)
        return max((part.virtual_region.bottom for part in parts), default=0)

    def _wait_for_quiet(self) -> None:
        """Say what holds now, and again when the quiet period is over."""
        if self._quiet is not None:
            self._quiet.stop()
        self._quiet = self.set_timer(max(0.0, self._gate.quiet_ends() - monotonic()) + 0.01, self._quiet_over)
        self._say_again()

    def _quiet_over(self) -> None:
        if monotonic() < self._gate.quiet_ends():
            self._wait_for_quiet()
            return
        self._quiet = None
        if self._said == gate.TOO_SOON:
            self._said = ""
        self._say_again()

    def _say_again(self) -> None:
        choices = self._choices
        choices.entered = self.entered and not self.settled
        choices.armed = self.armed
        choices.accepts = choices.armed and self._gate.seen and self._judged.complete
        self.set_class(self.entered, "-entered")
        self.set_class(self.settled, "-settled")
        whose = "" if self.notification.conversation_id else "in another program's thread"
        parts = (self.heading, whose, self.position, age(self.notification, time() * 1000))
        self.border_title = Content(" · ".join(part for part in parts if part))
        self.border_subtitle = Content(self._hint())
        if self.entered:
            self.refresh_bindings()

    def _hint(self) -> str:
        if self._outcome:
            return f"{self._outcome} · Esc closes" if self.entered else self._outcome
        if self._deciding:
            return "Sending your decision…"
        if self._said:
            return self._said
        if self._line is not None:
            return "Enter declines and sends this to Codex · Esc back to the choices"
        if not self.entered:
            key = key_shown(self.app if self.is_attached else None, "answer", "f6")
            return f"{key} or click to answer · {self.typed}"
        if self._quiet is not None:
            return "Look first…"
        if not self._gate.seen:
            return f"{count(self._seen.missing, 'more row')} to see before it can be accepted: ↓ or PgDn"
        # What is removed already may be told something still.
        match self.screen.focused if self.is_attached else None:
            case Input():
                return "Type · Enter or ↓ goes on · Esc back"
            case Picker():
                return "Space or a number picks · Enter goes on · Esc back"
            case Body() if self._body.query("Picker, Input"):
                return "↓ or Tab to what is filled in · a letter, or ←→ and Enter · Esc back"
            case _:
                return "A letter, or ←→ and Enter · Esc back"
