"""The names of the commands that open no screen. One is imported when it is asked for: the console's start pays for none."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

WORDS = {
    "host": "tui.host_command:host",
    "exec": "tui.exec_command:execute",
    "doctor": "tui.doctor_command:doctor",
    "knowledge": "tui.keeping_commands:knowledge",
    "rules": "tui.rule_commands:rules",
    "ledger": "tui.decision_commands:ledger",
    "approvals": "tui.decision_commands:approvals",
    "sessions": "tui.sessions.command:sessions",
    "export": "tui.export_commands:export",
    "import": "tui.export_commands:take",
}
"""First words of the command line that are commands, and where each is; any other is the first message."""


def command(word: str) -> click.Command:
    """The command of that name. Raises KeyError where there is none."""
    module, _, name = WORDS[word].partition(":")
    return getattr(importlib.import_module(module), name)
