"""The command that a person runs, above the composer: what it says, and what is to become of that."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from tui.composing.command_run import CommandRun
from tui.keymap import Keyed
from tui.transcript import ansi, safe
from tui.widgets.key_chips import Chip
from tui.widgets.key_names import key_of, key_shown, short_name
from tui.widgets.ordered_keys import own_bindings

SHOWN_LINES = 8
LINE = 400
REDRAW = 0.1
"""Seconds between two drawings while it runs."""

_RUNNING = (("stop", "escape", "stops it"),)
_OVER = (("attach", "enter", "attaches it to the message"), ("drop", "delete", "drops it"))
"""Action, key that it ships with, words."""
_BRIEF = {"stop": "Stop it", "attach": "Attach it", "drop": "Drop it"}


class CommandPane(Keyed, Vertical, can_focus=True):
    """Shows one run at a time. The keys of its last line work where it has the focus, and in the composer: that which
    stops it always, the others while nothing is written. None of them is a letter: that is the message's.
    """

    PART = "command"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", _BRIEF["stop"]),
        Binding("enter", "attach", _BRIEF["attach"]),
        Binding("delete,ctrl+x", "drop", _BRIEF["drop"]),
    ]

    class Stopped(Message):
        """The command is to end."""

    class Attached(Message):
        """What it said goes along with the next message."""

    class Dropped(Message):
        """What it said is not wanted."""

    class Typed(Message):
        """A key that means the message."""

        def __init__(self, key: events.Key) -> None:
            super().__init__()
            self.key = key

    def __init__(self) -> None:
        super().__init__(id="command-pane")
        self.run: CommandRun | None = None
        self._head = Static(markup=False)
        self._said = Static(markup=False)
        self._keys = Horizontal(id="command-keys")
        self._redraw: Timer
        self._typed_on = False
        self._shown: tuple[tuple[str, str, str], ...] = ()

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._said
        yield self._keys

    def on_mount(self) -> None:
        self._redraw = self.set_interval(REDRAW, self.draw, pause=True)
        self.show(self.run)

    def show(self, run: CommandRun | None) -> None:
        """This one, or none."""
        self.run = run
        self.display = run is not None
        self.draw()

    def draw(self) -> None:
        """What is new of it."""
        run = self.run
        if not self.is_mounted:
            return
        if run is None or run.over:
            self._redraw.pause()
        else:
            self._redraw.resume()
        if run is None:
            return
        self._head.update(Content.assemble((f"! {safe.line(run.line, 200)}", "bold"), f"  {_state(run)}"))
        lines = ansi.plain(run.tail).rstrip("\n").split("\n")[-SHOWN_LINES:]
        self._said.update(Content("\n".join(safe.line(line, LINE) for line in lines)))
        self._said.display = bool(run.tail)
        keys = tuple(
            (action, key_shown(self.app, f"{self.PART}_{action}", key), words)
            for action, key, words in _offered(run)
        )
        if keys != self._shown:
            self._shown = keys
            self._keys.remove_children()
            self._keys.mount_all([PaneKey(*key) for key in keys])
            self.refresh_bindings()

    @property
    def runs(self) -> bool:
        """Is there a command that is not over?"""
        return self.run is not None and not self.run.over

    def chips(self) -> list[Chip]:
        """Its keys, for who shows them where they work without the focus being here."""
        if self.run is None:
            return []
        named = [
            (key_of(self.app, f"{self.PART}_{action}", key), action) for action, key, _ in _offered(self.run)
        ]
        return [Chip(key, short_name(key), _BRIEF[action], action) for key, action in named]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do nothing now are not shown."""
        del parameters
        match action:
            case "stop":
                return self.runs
            case "attach" | "drop":
                return self.run is not None and self.run.over
            case _:
                return True

    def action_stop(self) -> None:
        self.post_message(self.Stopped())

    def action_attach(self) -> None:
        self.post_message(self.Attached())

    def action_drop(self) -> None:
        self.post_message(self.Dropped())

    def meant_by(self, key: str) -> str:
        """The action that a key is for now; "" for none."""
        able = (one.action for one in own_bindings(self, key) if self.check_action(one.action, ()))
        return next(able, "")

    def takes(self, key: str) -> bool:
        """Do what a key does here, at once; False where it does nothing."""
        action = self.meant_by(key)
        if action:
            self.act(action)
        return bool(action)

    def act(self, action: str) -> None:
        """Do what one of its keys does."""
        {"stop": self.action_stop, "attach": self.action_attach, "drop": self.action_drop}[action]()

    def on_focus(self) -> None:
        self._typed_on = False

    def on_key(self, event: events.Key) -> None:
        """What follows a first letter of the message is of the message too, until the focus is there."""
        if not self._typed_on and self.takes(event.key):
            event.stop()
            event.prevent_default()
        elif event.is_printable or event.key in ("enter", "backspace"):
            event.stop()
            self._typed_on = True
            self.post_message(self.Typed(event))


class PaneKey(Static):
    """One of its keys, to be clicked."""

    def __init__(self, action: str, shown: str, words: str) -> None:
        super().__init__(
            Content.assemble((shown, "bold $accent"), " ", (words, "$foreground 80%")), markup=False
        )
        self._action = action

    def on_click(self, event: events.Click) -> None:
        event.stop()
        pane = next(one for one in self.ancestors if isinstance(one, CommandPane))
        pane.act(self._action)


def _offered(run: CommandRun) -> tuple[tuple[str, str, str], ...]:
    return _OVER if run.over else _RUNNING


def _state(run: CommandRun) -> Content:
    if run.problem:
        return Content.styled(safe.line(run.problem, 200), "$error")
    if run.code is None:
        return Content.styled(f"runs · {monotonic() - run.began:.0f} s", "$accent")
    if run.code == 0:
        return Content.styled("done", "$success")
    return Content.styled(f"exit code {run.code}", "$error")
