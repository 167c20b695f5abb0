"""Signing in: what Codex needs, in plain words, and the ways there are."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.choices import Effect, Offer
from tui.transcript import safe
from tui.widgets.key_chips import Chip, TellsKeys
from tui.widgets.key_names import key_shown
from tui.widgets.text_line import TextLine

_BROWSER = Offer("b", "ChatGPT, in the browser", Effect.OPEN)
_DEVICE = Offer("d", "ChatGPT, with a code on another device", Effect.OPEN)
_API_KEY = Offer("k", "an API key", Effect.OPEN)
_OPEN = Offer("o", "Open the page", Effect.OPEN)
_COPY = Offer("y", "Copy its address", Effect.OPEN)
_BACK = Offer("c", "Another way", Effect.OPEN)

_WAYS = "Codex needs to know who you are before it can answer. Sign in with:"
_DEMO = "No account? Quit and run  quarterdeck --demo  to see everything work, offline."


class SignIn(TellsKeys, Vertical):
    """Takes the focus only when the person goes in. Opens no page by itself."""

    class Wanted(Message):
        """Begin to sign in with ChatGPT."""

        def __init__(self, device: bool) -> None:
            super().__init__()
            self.device = device

    class KeyGiven(Message):
        """Sign in with this API key."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

        def __rich_repr__(self) -> list[str]:
            return ["…"]

    class PageWanted(Message):
        """The person wants the page opened."""

        def __init__(self, url: str) -> None:
            super().__init__()
            self.url = url

    class Left(Message):
        """The person wants to go on with something else."""

    def __init__(self) -> None:
        super().__init__(id="sign-in")
        self._text = Static(markup=False)
        self._key = TextLine(password=True, placeholder="API key, then Enter")
        self._choices = ChoiceBar(())
        self._url = ""

    def compose(self) -> ComposeResult:
        yield self._text
        yield self._key
        yield self._choices

    def on_mount(self) -> None:
        self.border_title = "Sign in"
        self.name_keys()
        self._choices.entered = self._choices.armed = self._choices.accepts = True
        self.offer()

    def name_keys(self) -> None:
        """By the key that is in force."""
        self.border_subtitle = f"{key_shown(self.app, 'answer', 'f6')} or click to choose"

    def enter(self) -> None:
        """The person asked to go in."""
        (self._key if self._key.display else self._choices).focus()

    def offer(self) -> None:
        """The ways there are."""
        self._url = ""
        self._show(f"{_WAYS}\n{_DEMO}", _BROWSER, _DEVICE, _API_KEY)

    def wait_for(self, url: str, code: str) -> None:
        """A page is to be visited; `code` is typed there, if it is not empty."""
        self._url = url
        typed = f"\nand type this code there: {safe.line(code, 40)}" if code else ""
        self._show(
            f"Go to {safe.line(url)}{typed}\nThis goes on by itself when you are signed in.", _OPEN, _BACK
        )

    def say(self, words: str) -> None:
        """While something is under way."""
        self._show(safe.line(words), _BACK)

    def key_words(self, action: str) -> str | None:
        match action:
            case "back":
                return ""  # Escape is its own.
            case "submit":
                return "Sign in" if self._key.value.strip() else ""
            case _:
                return None

    def key_chips(self) -> Iterable[Chip]:
        if self.screen.focused is self._choices:
            yield Chip("right", "←→", "Mark a way")
            if self._choices.marked is not None:
                yield Chip("enter", "Enter", "Take it")
        yield Chip("escape", "Esc", "Back")

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.post_message(self.Left())
        elif self.app.focused is self._key:
            return
        elif event.key in ("left", "right"):
            event.stop()
            self._choices.move(1 if event.key == "right" else -1)
            self.refresh_bindings()
        elif offer := self._choices.under_mark() if event.key == "enter" else self._choices.keyed(event.key):
            event.stop()
            self._choose(offer)

    def on_choice_bar_clicked(self, event: ChoiceBar.Clicked) -> None:
        event.stop()
        self._choose(event.offer)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.refresh_bindings()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        key = event.value.strip()
        self._key.value = ""
        if key:
            self.say("Signing in…")
            self._choices.focus()
            self.post_message(self.KeyGiven(key))

    def _choose(self, offer: Offer) -> None:
        match offer:
            case _ if offer is _API_KEY:
                self._show("Paste the key; it is shown as dots and goes to Codex only.", _BACK)
                self._key.display = True
                self._key.focus()
            case _ if offer is _OPEN:
                self.post_message(self.PageWanted(self._url))
            case _ if offer is _COPY:
                self.app.copy_to_clipboard(self._url)
            case _ if offer is _BACK:
                self.offer()
            case _:
                self.say("Asking Codex…")
                self.post_message(self.Wanted(device=offer is _DEVICE))

    def _show(self, text: str, *offers: Offer) -> None:
        self._key.display = False
        self._text.update(Content(text))
        self._choices.show(offers)
        self.refresh_bindings()
