"""Which commands look destructive: by their words, wherever those stand."""

from __future__ import annotations

import pytest

from core.access.destructive import SHIPPED, DestructivePattern, dangers
from core.errors import InvalidRequest

PATTERNS = tuple(DestructivePattern.parse(text) for text in SHIPPED)

FOUND = {
    "rm -rf build": "rm -r",
    "/bin/rm -r build": "rm -r",
    "rm build -fr": "rm -r",
    "/bin/bash -lc 'git push origin main --force'": "git push --force",
    "git push --force-with-lease=main": "git push --force-with-lease",
    "git push -fu origin main": "git push -f",
    "ls && git reset --hard HEAD~1": "git reset --hard",
    "sudo timeout 5 rm -r /srv": "rm -r",
    "for f in *; do rm -r $f; done": "rm -r",
    "echo $(rm -r build)": "rm -r",
    "sudo bash -c 'cd / && rm -r srv'": "rm -r",
    "ssh box 'dd if=/dev/zero of=/dev/sda'": "dd",
    "find . -name '*.o' -delete": "find -delete",
    "mkfs.ext4 /dev/sdb": "mkfs.*",
    "ls | xargs rm -f": "rm -f",
}


@pytest.mark.parametrize(("command", "pattern"), FOUND.items())
def test_what_destroys_is_found(command: str, pattern: str) -> None:
    assert pattern in dangers(command, PATTERNS)


@pytest.mark.parametrize(
    "command",
    [
        "rm notes.txt",
        "git push origin main",
        "git commit -m 'git push --force and rm -rf'",
        "echo 'rm -rf /'",
        "git reset --soft HEAD~1",
        "cat force --f",
        "ls",
        "",
    ],
)
def test_what_does_not_is_left_alone(command: str) -> None:
    assert dangers(command, PATTERNS) == ()


def test_a_command_that_nobody_can_read_says_so() -> None:
    assert dangers("x" * 6_000, PATTERNS) == ("nobody can read what it runs",)


def test_a_pattern_without_a_program_is_refused() -> None:
    for text in ("", "  ", "--force"):
        with pytest.raises(InvalidRequest):
            DestructivePattern.parse(text)
