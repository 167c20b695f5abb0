"""Reading command lines: what is plain is read, what is not is never taken for it. Bash is the witness."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, event, given, settings

from core.access.shell import LONGEST, Line, Opaque, SimpleCommand, parse_command
from tests.core.access.bash import run_in_bash
from tests.core.access.escapes import ESCAPES
from tests.core.access.lines import ALLOWED, any_lines, hostile_lines, joined_lines, plain_commands

PLAIN = {
    "git status": [["git", "status"]],
    "git  status\t-s ": [["git", "status", "-s"]],
    'g"i"t status': [["git", "status"]],
    "'git' \"status\"": [["git", "status"]],
    "\\git status": [["git", "status"]],
    "git commit -m 'it'\\''s; rm -rf /'": [["git", "commit", "-m", "it's; rm -rf /"]],
    'git commit -m "a \\"b\\" \\$c \\\\ \\n"': [["git", "commit", "-m", 'a "b" $c \\ \\n']],
    "git commit -m 'one\ntwo'": [["git", "commit", "-m", "one\ntwo"]],
    "git log '' \"\"": [["git", "log", "", ""]],
    "git show HEAD~3 HEAD^ a#b v1.0": [["git", "show", "HEAD~3", "HEAD^", "a#b", "v1.0"]],
    "git status; rm -rf /": [["git", "status"], ["rm", "-rf", "/"]],
    "git status && ls || cat x": [["git", "status"], ["ls"], ["cat", "x"]],
    "git log | head -n 5 |& tail": [["git", "log"], ["head", "-n", "5"], ["tail"]],
    "git status\nls\n\n# a comment\ncat x # another; rm y\n": [["git", "status"], ["ls"], ["cat", "x"]],
    "git status &&\n ls": [["git", "status"], ["ls"]],
    "git log \\\n  -n 3 && \\\n ls": [["git", "log", "-n", "3"], ["ls"]],
    "cargo test 2>&1 | tail": [["cargo", "test"], ["tail"]],
    "cargo test >/dev/null 2>&1": [["cargo", "test"]],
    "cargo test &> /dev/null < /dev/null": [["cargo", "test"]],
    "2>/dev/null cargo test": [["cargo", "test"]],
    "cargo test 2>>/dev/null; ls": [["cargo", "test"], ["ls"]],
    "ls src/*.py": [["ls", "src/*.py"]],
    "rg 'a|b$(c)' x=1 --y=2": [["rg", "a|b$(c)", "x=1", "--y=2"]],
    "cat données": None,
    "cat 'données'": [["cat", "données"]],
    "find . ! -name '*.py'": [["find", ".", "!", "-name", "*.py"]],
    "sed -n 1,20p file": [["sed", "-n", "1,20p", "file"]],
    "git --no-pager log": [["git", "--no-pager", "log"]],
    "/bin/bash -lc 'git status && ls'": [["git", "status"], ["ls"]],
    "/bin/bash -lc ls": [["ls"]],
    "/usr/bin/bash -lc \"git commit -m 'x'\"": [["git", "commit", "-m", "x"]],
    "apply_patch <<'EOF'\n*** Begin Patch\n+$(rm x)\n*** End Patch\nEOF": [["apply_patch"]],
    "/bin/bash -lc \"apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF\n\"": [["apply_patch"]],
}


def words_of(commands: Iterable[SimpleCommand]) -> list[list[str]]:
    return [[word.text for word in command.words] for command in commands]


@pytest.mark.parametrize("text", [text for text, words in PLAIN.items() if words])
def test_a_plain_line_is_read_into_its_commands(text: str) -> None:
    parsed = parse_command(text)
    assert isinstance(parsed, Line), parsed
    assert words_of(parsed.commands) == PLAIN[text]


@pytest.mark.parametrize("text", ESCAPES)
def test_a_line_that_hides_something_is_opaque_and_says_why(text: str) -> None:
    parsed = parse_command(text)
    assert isinstance(parsed, Opaque), parsed
    assert parsed.why
    assert "\n" not in parsed.why


def test_there_are_many_escapes() -> None:
    assert len(set(ESCAPES)) == len(ESCAPES) > 60


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("git status $(rm x)", "it runs a command inside a word"),
        ("echo x > file", "it redirects to or from a file"),
        ("git status &", "it leaves a command running in the background"),
        ("sudo ls", "sudo runs another command"),
        ("git -c a=b log", "-c changes what git runs, or where"),
        ("git status \u202e", "it has an invisible character (U+202E)"),
        ("git status '", "it is not a whole shell command"),
        ("A=1 git status", "it sets a variable"),
        ("git $x", "it has a variable in it"),
        ("x" * (LONGEST + 1), f"it is longer than {LONGEST} characters"),
    ],
)
def test_the_reason_is_one_that_a_person_understands(text: str, why: str) -> None:
    parsed = parse_command(text)
    assert isinstance(parsed, Opaque)
    assert parsed.why == why


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ls > $(rm -rf x)", [["ls"], ["rm", "-rf", "x"]]),
        ("(rm a)", [["rm", "a"]]),
        ("if ls; then rm $x b; fi", [["ls"], ["rm", "", "b"]]),
        ("A=1 rm b", [["rm", "b"]]),
        ("sudo rm b", [["sudo", "rm", "b"]]),
    ],
)
def test_what_can_be_read_of_an_opaque_line_is_kept_to_be_denied(text: str, found: list[list[str]]) -> None:
    parsed = parse_command(text)
    assert isinstance(parsed, Opaque)
    assert words_of(parsed.commands) == found


def test_a_word_that_becomes_file_names_is_told_apart() -> None:
    parsed = parse_command("ls src/*.py 'a*'")
    assert isinstance(parsed, Line)
    assert [word.expands for word in parsed.commands[0].words] == [False, True, False]


@given(command=plain_commands)
def test_the_wrapper_of_codex_changes_nothing(command: str) -> None:
    import shlex

    assert parse_command(shlex.join(["/bin/bash", "-lc", command])) == parse_command(command)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=any_lines)
def test_bash_runs_nothing_that_was_not_read(tmp_path: Path, line: str) -> None:
    parsed = parse_command(line)
    event(type(parsed).__name__)
    if isinstance(parsed, Line):
        read = Counter(tuple(words) for words in words_of(parsed.commands))
        for code in (0, 1):
            started = Counter(run_in_bash(line, tmp_path, code))
            assert started <= read, f"bash runs {started - read}"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=joined_lines() | hostile_lines())
def test_everything_that_was_read_is_what_bash_runs(tmp_path: Path, line: str) -> None:
    parsed = parse_command(line)
    if isinstance(parsed, Line) and "||" not in line:
        read = Counter(tuple(words) for words in words_of(parsed.commands))
        # A program by its path is not looked for, and `[` (as `\[`) is a builtin: neither tells.
        assume(not any("/" in words[0] or words[0] == "[" for words in read))
        assert Counter(run_in_bash(line, tmp_path)) == read


@pytest.mark.parametrize("text", [text for text, words in PLAIN.items() if words and "bin/bash" not in text])
def test_the_examples_are_read_as_bash_reads_them(tmp_path: Path, text: str) -> None:
    started = run_in_bash(text, tmp_path) + run_in_bash(text, tmp_path, 1)
    expected = {tuple(words) for words in PLAIN[text] or ()}
    assert set(started) == expected


@pytest.mark.parametrize(
    "piece",
    [
        "a)|",
        ";a;",
        "a)a|&",
        "(",
        "$(",
        "a ",
        "'",
        "a|",
        "<<a ",
        "{",
        "`",
        "a <(",
        "[[ ",
        "${",
        "a;",
        "if ",
        "<<E\n",
        "a && ",
        '"$("',
        "\\\n",
    ],
)
def test_a_line_made_to_take_long_does_not(piece: str) -> None:
    began = time.process_time()
    parse_command(piece * (LONGEST // len(piece)))
    assert time.process_time() - began < 1.0


def test_a_line_of_4000_characters_is_read() -> None:
    parsed = parse_command("/bin/bash -lc 'git log " + "x" * 4000 + "'")
    assert isinstance(parsed, Line)
    assert len(parsed.commands[0].words[2].text) == 4000


def test_the_grammar_is_not_loaded_before_it_is_needed() -> None:
    script = "import sys, core.access.judge, core.store.rules; sys.exit('tree_sitter' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 0


def test_what_is_allowed_in_these_tests_is_plain() -> None:
    assert all(isinstance(parse_command(line), Line) for line in ALLOWED)
