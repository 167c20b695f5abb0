"""All keys, for the help screen: from the bindings themselves, so that they cannot differ."""

from __future__ import annotations

from tui.screens.console import ConsoleScreen
from tui.screens.help import Section
from tui.transcript.blockview import BlockView
from tui.transcript.entriesview import EntriesView
from tui.transcript.find_bar import FindInput
from tui.widgets.composer import MessageInput

_PROMPT_KEYS = (
    ("F6", "go into what Codex asks; from within it, on to the next"),
    ("↑ ↓ Space", "read it; what does not fit is scrolled through before it can be accepted"),
    ("y a r n x …", "the letter beside a choice takes it"),
    ("← → Enter", "mark a choice and take it; Enter alone decides nothing"),
    ("Tab", "to the fields and back"),
    ("s", "not now: it stays pending, F6 brings it back"),
    ("Esc", "back to the message; nothing is decided"),
)


def sections() -> tuple[Section, ...]:
    """In the order in which a newcomer needs them."""
    return (
        Section("Everywhere", ConsoleScreen.BINDINGS),
        Section("Writing", MessageInput.BINDINGS),
        Section("When Codex asks", extra=_PROMPT_KEYS),
        Section(
            "Reading (Shift+Tab goes into the conversation)", (*EntriesView.BINDINGS, *BlockView.BINDINGS)
        ),
        Section("Finding (Ctrl+F)", FindInput.BINDINGS),
    )
