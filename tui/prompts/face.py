"""How a request looks: what is judged, what is filled in, the choices, and a border that says how it stands.

A kind of request is a subclass of the prompt that says what these are.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic, time
from typing import ClassVar, Generic, TypeVar, cast

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from core.agent.requests import Request
from core.conversation.feed import Notification
from tui.prompts import keys_here
from tui.prompts.body import Body
from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.choices import Offer, offered
from tui.prompts.filled import Filled, filled_of, values_of
from tui.prompts.hint import hint
from tui.prompts.judged_text import JudgedText
from tui.prompts.keys_here import Focus
from tui.prompts.lines import Judged
from tui.prompts.picker import Picker
from tui.prompts.saying import SayLine
from tui.prompts.sitting import Asked, Phase, Sitting
from tui.prompts.tells import Tells
from tui.prompts.words import age, doubt_of, outcome, whence
from tui.widgets.key_chips import Chip, TellsKeys
from tui.widgets.key_names import key_shown

R = TypeVar("R", bound=Request)


class Face(Tells, TellsKeys, Generic[R], Vertical):
    """Draws how the person's sitting before the request stands, and tells it what of the request they see, and when
    the quiet is over. What they do is the prompt's.
    """

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
        self.given: Filled | None = None
        """What the person had put in before, when this request was shown last."""
        self._body = Body()
        self._text = JudgedText(self.judge())
        self._text.display = bool(self._text.judged.lines)
        self._whence = Static(whence(notification, ""), classes="prompt--whence")
        self._choices = ChoiceBar(self._offered())
        self._line: SayLine | None = None
        self._message = ""
        self._begun: tuple[str, ...] = ()
        self._limited_to = 0
        self._sitting = Sitting(self._asked(), monotonic())
        self._waiting: Timer | None = None
        """For the end of the quiet period."""

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
        self.screen.screen_layout_refresh_signal.subscribe(self, lambda _: self._look())
        self.app.screen_change_signal.subscribe(self, lambda _: self._look())
        self._say_again()

    @property
    def filled(self) -> Filled:
        """What the person put in."""
        message = self._message if self._line is None else self._line.input.value
        return filled_of(self._body, self._begun, message)

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

    def _asked(self) -> Asked:
        judged = self._text.judged
        return Asked(lacks=judged.lacks, doubt=doubt_of(self.notification.cautions, odd=judged.odd))

    def _show_anew(self) -> None:
        """The request is another one than what was shown: nothing of that counts for it."""
        self.request = cast(R, self.notification.request)
        self._text.show(self.judge())
        self._text.display = bool(self._text.judged.lines)
        self._choices.show(self._offered())
        self._sitting.change(self._asked(), monotonic())
        self._body.scroll_home(animate=False)

    # What is seen and said.

    def _look(self) -> None:
        """Take note of what of the request is on the screen now: nothing before it has its place there."""
        window = self._body.window()
        if window is None or not self._text.laid_out:
            return
        top, height, width = window
        before = self._sitting.seen_whole
        if not self._sitting.look(top, height, self._rows(), width):
            return
        if self._sitting.seen_whole and not before:
            self.post_message(self.SeenWhole(self.notification.id, self.notification.shown_hash))
        self._say_again()

    def _rows(self) -> int:
        """Of what is judged and what is filled in; what is said about it below is no part of it."""
        parts = (part for part in self._body.children if part.display and part is not self._whence)
        return max((part.virtual_region.bottom for part in parts), default=0)

    def _quiet_over(self) -> None:
        self._waiting = None
        self._sitting.pass_quiet(monotonic())
        self._say_again()

    def _say_again(self) -> None:
        """Say what holds now, and again when the quiet period is over."""
        sitting, choices = self._sitting, self._choices
        settled = sitting.phase is Phase.SETTLED
        choices.entered = sitting.entered and not settled
        choices.armed = sitting.phase is Phase.ARMED
        choices.accepts = sitting.accepts
        self.set_class(sitting.entered, "-entered")
        self.set_class(settled, "-settled")
        whose = "" if self.notification.conversation_id else "in another program's thread"
        parts = (self.heading, whose, self.position, age(self.notification, time() * 1000))
        self.border_title = Content(" · ".join(part for part in parts if part))
        self.border_subtitle = Content(self._hint())
        if sitting.entered:
            self.refresh_bindings()
        if self.is_running and self._waiting is None and not sitting.quiet:
            left = max(0.0, sitting.quiet_ends - monotonic())
            self._waiting = self.set_timer(left + 0.01, self._quiet_over)

    def _hint(self) -> str:
        # What is removed already may be told something still.
        key = key_shown(self.app if self.is_attached else None, "answer", "f6")
        return hint(
            self._sitting,
            self._focus() if self.is_attached else Focus.ELSEWHERE,
            outcome=outcome(self.notification),
            outside=f"{key} or click to answer · {self.typed}",
            fields=bool(self._body.query("Picker, Input")),
        )

    # Its keys.

    def _focus(self) -> Focus:
        match self.screen.focused:
            case Input() as field:
                return Focus.LINE if self._line is not None and field is self._line.input else Focus.FIELD
            case Picker():
                return Focus.PICKER
            case Body():
                return Focus.TEXT
            case ChoiceBar():
                return Focus.CHOICES
            case _:
                return Focus.ELSEWHERE

    def key_words(self, action: str) -> str | None:
        match action:
            case "back":
                return ""  # Escape is the prompt's own.
            case "submit":
                return "" if self._focus() is Focus.LINE else "Go on"
            case _:
                return None

    def key_chips(self) -> Iterable[Chip]:
        return keys_here.chips_of(
            self._sitting.phase,
            self._focus(),
            written=self._line is not None and bool(self._line.input.value.strip()),
            marked=self._choices.marked is not None,
        )
