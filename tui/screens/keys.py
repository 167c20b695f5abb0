"""All keys: from the bindings themselves, so that help, settings and what a person may change cannot differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.binding import Binding, BindingType
from textual.widgets import TextArea

from tui.composing.command_pane import CommandPane
from tui.composing.history import HistoryScreen
from tui.inspector.inspector import Inspector
from tui.keymap import Group, KeyAction, Place, actions_in, group_of, keys_in, keys_shown
from tui.prompts.body import Body
from tui.prompts.rule_maker import RuleMaker
from tui.rules.editor import RuleEditor
from tui.screens.console import ConsoleScreen
from tui.screens.diff import DiffScreen
from tui.screens.help import HelpScreen, Section
from tui.screens.inbox import InboxScreen
from tui.screens.ledger import LedgerScreen
from tui.screens.opening import OverScreen
from tui.screens.pick import PickScreen
from tui.screens.rules import RulesScreen
from tui.screens.settings import SettingsScreen
from tui.sessions.find_input import FindInput as SessionsLine
from tui.sessions.preview import Preview
from tui.sessions.results import ResultList
from tui.sessions.screen import SessionsScreen
from tui.transcript.block_menu import FIXED as OF_THE_MENU
from tui.transcript.block_menu import BlockMenu
from tui.transcript.blockview import BlockView
from tui.transcript.cursorview import CursorView
from tui.transcript.entriesview import EntriesView
from tui.transcript.find_bar import FindInput
from tui.widgets.composer import MessageInput
from tui.widgets.key_names import key_name
from tui.widgets.lazy_list import LazyList
from tui.widgets.session_list import SessionList

_DECIDES, _MOVES = "takes a choice in a prompt", "goes through the choices of a prompt"
OF_A_PROMPT: Mapping[str, str] = {
    **dict.fromkeys("yarwnxmlso123456789", _DECIDES),
    **dict.fromkeys(("left", "right", "enter"), _MOVES),
    "escape": "leads out of a prompt",
    "tab": "leads through the fields of a prompt",
}
"""What decides stays as it is: whoever sits at this console finds the same letters in every prompt."""


def _of_writing() -> dict[str, str]:
    """The keys of the text area that the composer is, which have no name here: without those that are bound anew."""
    anew = {
        key
        for one in (MessageInput, ConsoleScreen)
        for binding in one.BINDINGS
        if isinstance(binding, Binding) and (one is MessageInput or binding.priority)
        for key in keys_in(binding.key)
    }
    edits = [binding for binding in TextArea.BINDINGS if isinstance(binding, Binding)]
    return {
        key: f"edits the message ({binding.description.lower()})"
        for binding in edits
        for key in keys_in(binding.key)
        if key not in anew
    }


OF_WRITING: Mapping[str, str] = _of_writing()
_CONSOLE, _TEXT = group_of(ConsoleScreen), group_of(Body)
_READING = group_of(CursorView, EntriesView, BlockView)
_SESSIONS, _OVER = group_of(SessionsScreen), group_of(OverScreen)

PLACES: tuple[Place, ...] = (
    Place("Everywhere", (_CONSOLE,)),
    Place("Writing", (_CONSOLE, group_of(MessageInput)), OF_WRITING),
    Place("At a command of your own", (_CONSOLE, group_of(CommandPane))),
    Place("When Codex asks", (_CONSOLE, _TEXT), OF_A_PROMPT),
    Place("Reading", (_CONSOLE, _READING)),
    Place("The menu of a block", (group_of(BlockMenu), _READING), OF_THE_MENU),
    Place("Finding", (_CONSOLE, group_of(FindInput))),
    Place("In the list", (_CONSOLE, group_of(SessionList))),
    Place("In the inspector", (_CONSOLE, group_of(Inspector))),
    Place("In the inbox", (_OVER, group_of(InboxScreen), _TEXT), OF_A_PROMPT),
    Place("Sessions: in the line", (_SESSIONS, group_of(SessionsLine))),
    Place("Sessions: in the list", (_SESSIONS, group_of(ResultList))),
    Place("Sessions: reading one", (_SESSIONS, group_of(Preview))),
    Place("In the ledger", (_OVER, group_of(LedgerScreen), _TEXT)),
    Place("In the rules", (_OVER, group_of(RulesScreen), group_of(LazyList), _TEXT)),
    Place("Writing a rule", (group_of(RuleEditor),)),
    Place("Always: a rule for this", (group_of(RuleMaker), _TEXT), {"y": "keeps the rule"}),
    Place("In the settings", (_OVER, group_of(SettingsScreen))),
    Place("What you said", (group_of(HistoryScreen),)),
    Place("Lists to choose from", (group_of(PickScreen),)),
    Place("Pages to read", (group_of(HelpScreen),)),
    Place("Diffs", (group_of(DiffScreen), _READING)),
)
"""Where keys work, in the order in which a newcomer needs them."""

_LED_TO_BY = {
    "Finding": "find",
    "In the list": "listing",
    "In the inspector": "inspect",
    "In the inbox": "inbox",
    "Sessions: in the line": "sessions",
    "In the ledger": "ledger",
    "In the rules": "rules",
    "In the settings": "settings",
    "What you said": "recall",
}
_ALSO = {
    "At a command of your own": "!",
    "Reading": "Shift+Tab",
    "The menu of a block": "Enter while reading",
}


def prompt_keys(answer: str) -> tuple[tuple[str, str], ...]:
    """What is no binding; `answer` is the key that leads into a prompt."""
    return (
        (answer, "go into what Codex asks; from within it, on to the next"),
        ("y a r n x …", "the letter beside a choice takes it; these stay as they are"),
        ("l", "always: make a rule of it, and see what it would have decided before"),
        ("← → Enter", "mark a choice and take it; Enter alone decides nothing"),
        ("Space", "pick an alternative, or take that back; Enter goes on to the next field"),
        ("Tab", "to the fields and back"),
        ("s", f"not now: it stays pending, {answer} brings it back"),
        ("Esc", "back to the message; nothing is decided"),
    )


def sections(keys: Mapping[str, str], first: Sequence[BindingType] = ()) -> tuple[Section, ...]:
    """In the order in which a newcomer needs them, that with the bindings `first` before the others; `keys` are a
    person's own.
    """
    shown: list[Section] = []
    done: list[Group] = []
    for place in PLACES:
        new = [group for group in place.groups if group not in done]
        done += new
        bindings = [binding for group in new for binding in group.bindings]
        extra = prompt_keys(_key(keys, "answer")) if place.title == "When Codex asks" else ()
        shown.append(Section(_titled(place.title, keys), bindings, extra))
    return tuple(sorted(shown, key=lambda section: not all(one in section.bindings for one in first)))


def _titled(title: str, keys: Mapping[str, str]) -> str:
    """With what leads there."""
    opener = _LED_TO_BY.get(title)
    leads = _key(keys, opener) if opener else _ALSO.get(title, "")
    return f"{title} ({leads})" if leads else title


def _key(keys: Mapping[str, str], action: str) -> str:
    return key_name(keys_shown(ConsoleScreen.BINDINGS, keys, action))


def actions() -> tuple[KeyAction, ...]:
    """Every action whose keys a person may change."""
    return actions_in(PLACES)
