"""The parts that the console is made of, and the names of its keys."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from tui.keymap import Keyed, keys_shown
from tui.launch import Launch
from tui.screens.engine_screen import EngineScreen, Opener
from tui.transcript.view import TranscriptView
from tui.widgets.composer import Composer
from tui.widgets.key_bar import KeyBar
from tui.widgets.key_chips import TellsKeys
from tui.widgets.key_names import key_name
from tui.widgets.newer_below import NewerBelow
from tui.widgets.notices import Notices
from tui.widgets.session_list import SessionList
from tui.widgets.status_line import StatusLine
from tui.widgets.welcome import Welcome
from tui.widgets.writing import Writing

if TYPE_CHECKING:
    from tui.app import QuarterdeckApp
    from tui.prompts.area import PromptArea
    from tui.screens.signing_in import SigningIn
    from tui.widgets.sign_in import SignIn

NARROW = 100
"""Columns below which the list is hidden until it is asked for."""

BROAD = 120
"""Columns from which the inspector has room beside the conversation."""

TALL = 30
"""Rows from which there is room between the parts."""

TINY = 16
"""Rows below which every part but what is asked takes as few as it can."""


class ConsoleParts(TellsKeys, Keyed, EngineScreen):
    """Holds them. `prompts` and what is for signing in are None until the engine is there."""

    WRITES = True

    def __init__(self, launch: Launch, opener: Opener | None = None) -> None:
        super().__init__(launch, opener)
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-wide"), (BROAD, "-broad")]
        self.VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]
        self.composer = Composer(Writing(lambda: os.urandom(16).hex()), widget_id="composer")
        self.sessions = SessionList(widget_id="sessions")
        self.transcript = TranscriptView(id="transcript")
        self.notices = Notices(widget_id="notices")
        self.newer = NewerBelow(widget_id="newer")
        self.prompts: PromptArea | None = None
        self.sign_in: SignIn | None = None
        self.signing_in: SigningIn | None = None
        self._welcome = Welcome(widget_id="welcome")
        self._status = StatusLine(widget_id="status")
        self._keys = KeyBar(
            urgent=("back", "answer", "again"),
            last=("over('rules')", "help", "quit"),
            always="help",
            widget_id="keys",
        )
        self._home = str(Path.home())

    def compose(self) -> ComposeResult:
        with Horizontal(id="deck"):
            yield self.sessions
            with Vertical(id="main"):
                with Vertical(id="stage"):
                    yield self._welcome
                    yield self.newer
                yield self.notices
                yield self.composer
        yield self._status
        yield self._keys

    @property
    def quarterdeck(self) -> QuarterdeckApp:
        return cast("QuarterdeckApp", self.app)

    def key_of(self, action: str) -> str:
        """The key that an action of the console has now."""
        return keys_shown(type(self).BINDINGS, self.quarterdeck.keys, action)

    def key_name(self, action: str) -> str:
        """The same, as a person reads it."""
        return key_name(self.key_of(action))
