"""The entries of the command palette: actions with the group, the key and the slash command of each. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.binding import Binding, BindingType

from tui.slash.catalog import COMMANDS
from tui.widgets.key_names import key_name


@dataclass(frozen=True, slots=True)
class Entry:
    """`action` is what the screen is to do. `key` and `slash` are other ways to it, "" for none.

    `also` are words by which a person may look for it, beside those that are shown.
    """

    words: str
    action: str
    group: str
    key: str = ""
    slash: str = ""
    also: tuple[str, ...] = ()


NOW, HERE, RUN, LOOK, APP = "Now", "This conversation", "How it runs", "Look", "Quarterdeck"
GROUPS = (NOW, HERE, RUN, LOOK, APP)
"""In the order in which they are shown."""

_SAME = {
    "new": "new",
    "model": "switch('model')",
    "profile": "switch('profile')",
    "usage": "inspect('usage')",
    "history": "history",
    **{name: f"over('{name}')" for name in ("inbox", "ledger", "rules", "settings")},
    "help": "help",
    "quit": "quit",
}
"""Slash commands that do what an action does: they are one entry."""

_SAID_TWICE = {"keys"}
"""Slash commands that are only another name."""

_GROUP_OF_COMMAND = {
    **dict.fromkeys(
        (
            "fork",
            "revert",
            "rename",
            "archive",
            "delete",
            "export",
            "copy",
            "compact",
            "review",
            "plan",
            "goal",
            "init",
        ),
        HERE,
    ),
    **dict.fromkeys(("diff", "mcp", "skills", "status", "resume", "unarchive"), LOOK),
}

_GROUP_OF_ACTION = {
    "new": HERE,
    "find": HERE,
    "newest": HERE,
    "taken_back": HERE,
    "undo": HERE,
    "redo": HERE,
    "switch": RUN,
    "inspect": LOOK,
    "over": LOOK,
    "history": LOOK,
}


_ALSO = {
    "answer": ("approve", "accept", "allow", "decline", "deny", "waits", "permission"),
    "over('inbox')": ("waits", "waiting", "pending", "approve", "approvals", "requests", "needs"),
    "over('ledger')": ("approvals", "decisions", "audit"),
    "over('rules')": ("permissions", "allow", "deny", "always"),
    "over('settings')": ("preferences", "options", "config"),
    "over('sessions')": ("history", "resume"),
    "interrupt": ("stop", "cancel", "abort"),
    "again": ("retry", "continue", "go on"),
    "undo": ("back",),
    "parent": ("parent", "up", "agent"),
    "listing": ("sidebar", "list"),
    "switch('sandbox')": ("permissions",),
    "switch('theme')": ("dark", "light"),
    "slash('revert')": ("undo", "rewind", "checkpoint"),
}
"""Other words for actions."""


def entries(
    now: Iterable[tuple[str, str]], actions: Iterable[tuple[str, str]], bindings: Sequence[BindingType]
) -> list[Entry]:
    """`now` are actions that can be done just now, `actions` the others, each (words, action)."""
    keys = _keys(bindings)
    slashes = {action: name for name, action in _SAME.items()}
    made = [
        Entry(words, action, NOW, keys.get(action, ""), also=_ALSO.get(action, ())) for words, action in now
    ]
    made += [
        Entry(
            words,
            action,
            _group_of(action),
            keys.get(action, ""),
            slashes.get(action, ""),
            _ALSO.get(action, ()),
        )
        for words, action in actions
    ]
    done = {entry.action for entry in made}
    for command in COMMANDS:
        if _SAME.get(command.name) in done or command.name in _SAID_TWICE:
            continue
        group = _GROUP_OF_COMMAND.get(command.name, APP)
        action = f"slash({command.name!r})"
        made.append(Entry(command.help, action, group, "", command.name, _ALSO.get(action, ())))
    return sorted(made, key=lambda entry: GROUPS.index(entry.group))


def _group_of(action: str) -> str:
    return _GROUP_OF_ACTION.get(action.partition("(")[0], APP)


def _keys(bindings: Sequence[BindingType]) -> dict[str, str]:
    """The first key of each action."""
    found: dict[str, str] = {}
    for binding in bindings:
        if isinstance(binding, Binding):
            found.setdefault(binding.action, key_name(binding.key.partition(",")[0]))
    return found
