"""Commands that look as if they destroy something: a person is asked twice before one runs. Pure.

A pattern is a program and words that have to be among its arguments, in any order: `git push --force`,
`rm -r`. The program's name may have a `*`. One-letter options are found joined too (`-rf`), long ones also with a value (`--force=yes`). The words
are those that a shell grammar reads (`core.access.shell`), so that text inside a quoted word is no command,
except where the program is a shell that runs it. It warns and decides nothing: what hides well enough is
not found, and rules never use it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from core.access.shell import SimpleCommand, parse_command
from core.access.words import Word
from core.errors import InvalidRequest

SHIPPED: tuple[str, ...] = (
    "rm -r",
    "rm -R",
    "rm -f",
    "rm --recursive",
    "rm --force",
    "rmdir",
    "unlink",
    "shred",
    "srm",
    "truncate",
    "dd",
    "mkfs",
    "mkfs.*",
    "wipefs",
    "fdisk",
    "parted",
    "find -delete",
    "rsync --delete",
    "chmod -R",
    "chmod --recursive",
    "chown -R",
    "chown --recursive",
    "kill",
    "killall",
    "pkill",
    "shutdown",
    "reboot",
    "poweroff",
    "git push --force",
    "git push -f",
    "git push --force-with-lease",
    "git push --delete",
    "git push --mirror",
    "git reset --hard",
    "git clean -f",
    "git clean --force",
    "git branch -D",
    "git checkout --",
    "git checkout -f",
    "git checkout --force",
    "git restore",
    "git stash drop",
    "git stash clear",
    "git filter-branch",
    "git filter-repo",
    "git reflog expire",
    "git update-ref -d",
    "docker system prune",
    "docker volume rm",
    "docker volume prune",
    "docker compose down -v",
    "podman system prune",
    "podman volume rm",
    "kubectl delete",
    "helm uninstall",
    "terraform destroy",
    "tofu destroy",
    "dropdb",
    "dropuser",
    "aws s3 rm",
    "aws s3 rb",
    "gh repo delete",
    "gh release delete",
    "npm publish",
    "npm unpublish",
    "cargo publish",
    "twine upload",
)
"""What config.toml replaces with `[decisions] destructive`."""

_SHELLS = frozenset({"bash", "sh", "dash", "zsh", "ksh", "fish", "eval", "ssh", "su"})
_DEPTH = 4
"""How many shells within each other are looked into."""


@dataclass(frozen=True, slots=True)
class DestructivePattern:
    """Raises InvalidRequest for a text without a program's name."""

    program: str
    words: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> DestructivePattern:
        words = text.split()
        if not words or words[0].startswith("-"):
            raise InvalidRequest(
                f"{text!r} is no pattern for a command",
                why="it begins with the name of a program",
                todo="Write it like git push --force.",
            )
        return cls(words[0], tuple(words[1:]))

    def __str__(self) -> str:
        return " ".join((self.program, *self.words))

    def found_in(self, words: Sequence[Word]) -> bool:
        """Is this program among the words, with the pattern's words after it?

        Anywhere, since another program may run it: `sudo`, `xargs`, `timeout 5`.
        """
        return any(
            _is_program(word.text, self.program) and self._after(words[place + 1 :])
            for place, word in enumerate(words)
        )

    def _after(self, words: Sequence[Word]) -> bool:
        return all(any(_is_word(wanted, word.text) for word in words) for wanted in self.words)


def dangers(command: str, patterns: Iterable[DestructivePattern]) -> tuple[str, ...]:
    """The patterns that a command line looks like, as text, each once; () for one that looks harmless.

    A line of which nothing can be read looks like everything, and says so.
    """
    patterns = tuple(patterns)
    commands = tuple(_commands(command, _DEPTH))
    if not commands:
        return ("nobody can read what it runs",) if command.strip() else ()
    found = (str(pattern) for one in commands for pattern in patterns if pattern.found_in(one.words))
    return tuple(dict.fromkeys(found))


def _commands(line: str, depth: int) -> Iterator[SimpleCommand]:
    """All that can be read of the line, and of lines inside it that a shell is given."""
    for command in parse_command(line).commands:
        yield command
        if depth and any(_is_shell(word.text) for word in command.words):
            for word in command.words:
                if " " in word.text.strip():
                    yield from _commands(word.text, depth - 1)


def _is_shell(word: str) -> bool:
    return posixpath.basename(word) in _SHELLS


def _is_program(word: str, program: str) -> bool:
    return fnmatchcase(posixpath.basename(word), program)


def _is_word(wanted: str, word: str) -> bool:
    if wanted.startswith("--") and len(wanted) > 2:
        return word == wanted or word.startswith(f"{wanted}=")
    if wanted.startswith("-") and len(wanted) == 2:
        joined = word.startswith("-") and not word.startswith("--")
        return joined and wanted[1] in word[1:]
    return word == wanted
