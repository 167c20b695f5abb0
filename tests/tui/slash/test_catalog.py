"""The catalog of slash commands."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tui.composing.completing import commands
from tui.slash.catalog import COMMANDS, find

WANTED = [
    "new",
    "resume",
    "fork",
    "revert",
    "rename",
    "archive",
    "delete",
    "compact",
    "review",
    "diff",
    "plan",
    "goal",
    "model",
    "profile",
    "mcp",
    "skills",
    "status",
    "usage",
    "export",
    "copy",
    "theme",
    "keys",
    "login",
    "logout",
    "feedback-file",
    "quit",
    "help",
]


@pytest.mark.parametrize("name", WANTED)
def test_every_command_is_found_by_its_name(name: str) -> None:
    command = find(name)
    assert command is not None and command.name == name


def test_a_name_is_found_whatever_its_case_and_an_unknown_one_is_not() -> None:
    command = find("FORK")
    assert command is not None and command.name == "fork"
    assert find("nonsense") is None and find("") is None


def test_names_are_single_and_each_is_explained_on_one_line() -> None:
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)
    assert all(0 < len(command.help) <= 72 and "\n" not in command.help for command in COMMANDS)


def test_the_catalog_loads_nothing_that_a_first_paint_would_wait_for() -> None:
    code = "import sys, tui.slash.catalog; print(*(m for m in ('textual', 'pydantic', 'core') if m in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == ""


@pytest.mark.parametrize(
    ("other", "name"),
    [
        ("exit", "quit"),
        ("clear", "new"),
        ("permissions", "profile"),
        ("approvals", "inbox"),
        ("sessions", "resume"),
    ],
)
def test_what_other_consoles_call_a_command_is_known_and_offered(other: str, name: str) -> None:
    found = find(other)
    assert found is not None and found.name == name
    assert any(choice.name.startswith(f"/{name}") for choice in commands(other[:4]))
