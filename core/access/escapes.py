"""Commands that run other commands, by their words. Pure.

A rule for `git log` is meant for `git log`, not for what `git -c core.pager=… log` starts. So a command
that runs another one, that runs code given as an argument, or that changes what later words of the line
mean, is never covered by a rule. The lists err on the side of asking: options may be shortened or joined.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.access.words import Word

_CHANGE_NAMES = """
. alias bind builtin command compgen complete compopt coproc declare enable eval exec export fc function
getopts hash jobs let local mapfile popd pushd read readarray readonly set shopt source trap typeset
unalias unset
"""
_TAKE_CODE = """
ash awk bash busybox csh dash ed emacs ex expect fish gawk ksh mawk mksh nawk nvim osascript powershell
pwsh rbash sh tclsh tcsh toybox vi view vim zsh
"""
_TAKE_A_COMMAND = """
at batch bwrap caffeinate chroot chrt crontab daemonize doas entr env fakeroot firejail flock gdb gtimeout
ionice lldb ltrace nice nohup nsenter parallel perf pkexec rsh runuser sandbox-exec screen script setpriv
setsid ssh start-stop-daemon stdbuf strace su sudo systemd-run taskset time timeout tmux unbuffer unshare
valgrind watch watchexec xargs xvfb-run
"""
_REFUSED = {
    **dict.fromkeys(_CHANGE_NAMES.split(), "can change what the other commands mean"),
    **dict.fromkeys(_TAKE_CODE.split(), "runs whatever code it is given"),
    **dict.fromkeys(_TAKE_A_COMMAND.split(), "runs another command"),
}

_LONG_OPTION = re.compile(r"(--[^=]+)(?:=.*)?", re.DOTALL)
_LINES_OF_A_FILE = re.compile(r"(?:\d+|\$)(?:,(?:\d+|\$))?p")
_HARMLESS_FOR_GIT = frozenset(
    {"--no-pager", "--no-optional-locks", "--literal-pathspecs", "--version", "--help", "-h", "-v"}
)


def escape_of(command: Sequence[Word]) -> str | None:
    """Why the command may run more than its words say; None where it may not. A clause."""
    words = [word.text for word in command]
    program = words[0].rpartition("/")[2].lower()
    # python3.11 and bash5 are python and bash.
    family = program.rstrip("0123456789.") or program
    refused = _REFUSED.get(program) or _REFUSED.get(family)
    if refused is not None:
        return f"{words[0]} {refused}"
    check = _CHECKS.get(family)
    if check is not None and any(word.expands for word in command[1:2]):
        return f"the name of a file decides what {words[0]} does"
    return check(words) if check is not None else None


def _options(single: str, *long: str) -> Callable[[Sequence[str]], str | None]:
    """Refuses one-letter options, also joined ones (`-xc`), and long ones, also shortened (`--exe`)."""

    def check(words: Sequence[str]) -> str | None:
        for word in words[1:]:
            joined = word[:1] == "-" and word[:2] != "--" and any(letter in single for letter in word[1:])
            if joined or _is_one_of(word, long):
                return f"{word} makes {words[0]} run or write something else"
        return None

    return check


def _words(*refused: str) -> Callable[[Sequence[str]], str | None]:
    """Refuses these words exactly."""

    def check(words: Sequence[str]) -> str | None:
        found = next((word for word in words[1:] if word in refused), None)
        return None if found is None else f"{found} makes {words[0]} run or write something else"

    return check


def _is_one_of(word: str, long: Sequence[str]) -> bool:
    option = _LONG_OPTION.fullmatch(word)
    return option is not None and any(name.startswith(option[1]) for name in long)


_GIT_RUNS_OTHERS = """
bisect config credential daemon difftool filter-branch for-each-repo hook instaweb mergetool receive-pack
send-email shell submodule upload-pack web--browse
"""
_GIT_LONG = (
    "--exec",
    "--ext-diff",
    "--extcmd",
    "--textconv",
    "--open-files-in-pager",
    "--output",
    "--receive-pack",
    "--upload-pack",
    "--config",
    "--template",
)
_GIT_SINGLE = {"clone": "cu", "grep": "O", "ls-remote": "u", "rebase": "xi"}


def _git(words: Sequence[str]) -> str | None:
    rest = list(words[1:])
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option not in _HARMLESS_FOR_GIT:
            return f"{option} changes what git runs, or where"
    if not rest:
        return None
    if rest[0] in _GIT_RUNS_OTHERS.split():
        return f"git {rest[0]} can run other commands"
    if any("ext::" in word for word in rest):
        return "git runs a command for an address with ext::"
    return _options(_GIT_SINGLE.get(rest[0], ""), *_GIT_LONG)(rest)


def _sed(words: Sequence[str]) -> str | None:
    """Only `sed -n 1,20p FILE…` is plain: a script can run commands and write files."""
    match words:
        case [_, "-n", script, *files] if _LINES_OF_A_FILE.fullmatch(script):
            plain = not any(file.startswith("-") for file in files)
        case _:
            plain = False
    return None if plain else "a sed script can run commands and write files"


_TAR_LONG = (
    "--checkpoint-action",
    "--info-script",
    "--new-volume-script",
    "--rmt-command",
    "--rsh-command",
    "--to-command",
    "--use-compress-program",
)


def _tar(words: Sequence[str]) -> str | None:
    """Its first argument may be options without the dash."""
    first = [f"-{word.lstrip('-')}" for word in words[1:2] if not word.startswith("--")]
    return _options("FI", *_TAR_LONG)([*words[:1], *first, *words[1:]])


_CHECKS: dict[str, Callable[[Sequence[str]], str | None]] = {
    "git": _git,
    "sed": _sed,
    "gsed": _sed,
    "find": _words(
        "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls", "-fprint", "-fprint0", "-fprintf"
    ),
    "fd": _options("xX", "--exec", "--exec-batch"),
    "fdfind": _options("xX", "--exec", "--exec-batch"),
    "rg": _options("z", "--pre", "--hostname-bin", "--search-zip"),
    "tar": _tar,
    "bsdtar": _tar,
    "rsync": _options("e", "--rsh", "--rsync-path"),
    "scp": _options("SoF"),
    "sftp": _options("SoF"),
    "sort": _options("o", "--compress-program", "--output"),
    "wget": _options("e", "--execute", "--use-askpass"),
    "man": _options("PH", "--pager", "--html"),
    "zip": _options("T", "--unzip-command"),
    "python": _options("c"),
    "pypy": _options("c"),
    "perl": _options("eEMmI"),
    "ruby": _options("erI"),
    "lua": _options("el"),
    "php": _options("rBREd", "--run"),
    "node": _options("epr", "--eval", "--print", "--require", "--import", "--loader"),
    "deno": _words("eval", "repl"),
    "bun": _options("e", "--eval", "--preload"),
    "printf": _options("v"),
    "wait": _options("p"),
    "test": _options("vR"),
    "[": _options("vR"),
}
