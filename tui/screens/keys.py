"""All keys, for the help screen: from the bindings themselves, so that they cannot differ."""

from __future__ import annotations

from collections.abc import Mapping

from tui.composing.command_pane import CommandPane
from tui.inspector.inspector import Inspector
from tui.keymap import EVERYWHERE, KeyAction, actions_of, keys_shown
from tui.screens.console import ConsoleScreen
from tui.screens.help import Section
from tui.transcript.blockview import BlockView
from tui.transcript.cursorview import CursorView
from tui.transcript.entriesview import EntriesView
from tui.transcript.find_bar import FindInput
from tui.widgets.composer import MessageInput
from tui.widgets.key_names import key_name
from tui.widgets.session_list import SessionList

_READING = (*CursorView.BINDINGS, *EntriesView.BINDINGS, *BlockView.BINDINGS)


def prompt_keys(answer: str) -> tuple[tuple[str, str], ...]:
    """What is no binding; `answer` is the key that leads into a prompt."""
    return (
        (answer, "go into what Codex asks; from within it, on to the next"),
        ("↑ ↓ Space", "read it; what does not fit is scrolled through before it can be accepted"),
        ("y a r n x …", "the letter beside a choice takes it"),
        ("l", "always: make a rule of it, and see what it would have decided before"),
        ("← → Enter", "mark a choice and take it; Enter alone decides nothing"),
        ("Tab", "to the fields and back"),
        ("s", f"not now: it stays pending, {answer} brings it back"),
        ("Esc", "back to the message; nothing is decided"),
    )


def sections(keys: Mapping[str, str]) -> tuple[Section, ...]:
    """In the order in which a newcomer needs them; `keys` are a person's own."""
    answer = key_name(keys_shown(ConsoleScreen.BINDINGS, keys, "answer"))
    find = key_name(keys_shown(ConsoleScreen.BINDINGS, keys, "find"))
    return (
        Section("Everywhere", ConsoleScreen.BINDINGS),
        Section("Writing", MessageInput.BINDINGS),
        Section("At a command of your own (!)", CommandPane.BINDINGS),
        Section("When Codex asks", extra=prompt_keys(answer)),
        Section("Reading (Shift+Tab goes into the conversation)", _READING),
        Section(f"Finding ({find})", FindInput.BINDINGS),
        Section("In the list", SessionList.BINDINGS),
        Section("In the inspector", Inspector.BINDINGS),
    )


def actions() -> tuple[KeyAction, ...]:
    """Every action whose keys a person may change."""
    parts = (
        (ConsoleScreen.BINDINGS, EVERYWHERE),
        (MessageInput.BINDINGS, MessageInput.PART),
        (CommandPane.BINDINGS, CommandPane.PART),
        (_READING, EntriesView.PART),
        (FindInput.BINDINGS, FindInput.PART),
        (SessionList.BINDINGS, SessionList.PART),
        (Inspector.BINDINGS, Inspector.PART),
    )
    return tuple(action for bindings, part in parts for action in actions_of(bindings, part))
