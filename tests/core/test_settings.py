"""config.toml: defaults, errors that name line and key, and profiles of one's own."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.access.policy import Action, ProfileId, Verdict
from core.agent.port import Sandbox
from core.errors import SettingsError
from core.settings import TOO_LARGE, FileSettings, HostSettings, ProfileSettings, Settings, load_settings
from core.settings_lines import line_of

WHOLE = """\
theme = "quarterdeck-light"

[host]
mode = "websocket"
url = "ws://127.0.0.1:4500"
token = "secret"
codex_home = "~/codex"

[defaults]
model = "gpt"
sandbox = "workspace-write"
profile = "careful"

[profiles.careful]
summary = "asks twice"
sandbox_at_most = "workspace-write"
command = "ask"
file_change = "allow"
permissions = "deny"
network = "deny"
tool = "allow"
form = "deny"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def error_of(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(file)
    assert caught.value.todo
    assert str(file) in caught.value.what
    return caught.value.why


def test_every_section_of_the_file_is_used(file: Path) -> None:
    file.write_text('[knowledge]\nmode = "off"\n[tools]\noff = ["dice"]\n', encoding="utf-8")
    settings = load_settings(file)
    assert settings.knowledge.mode.value == "off"
    assert settings.tools.off == ("dice",)
    assert settings.data_dir == Settings().data_dir


def test_no_file_is_no_error(file: Path) -> None:
    assert load_settings(file) == Settings()


@pytest.mark.parametrize("text", ["", "\n# nothing\n", "[host]\n", "\ufeff[host]\n"])
def test_an_empty_file_changes_nothing(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    assert load_settings(file) == Settings()


def test_every_setting_is_taken_from_the_file(file: Path) -> None:
    file.write_text(WHOLE, encoding="utf-8")
    settings = load_settings(file)
    assert settings.theme == "quarterdeck-light"
    assert settings.host.codex_home == Path.home() / "codex"
    assert (settings.host.mode, settings.host.url) == ("websocket", "ws://127.0.0.1:4500")
    assert (settings.defaults.model, settings.defaults.sandbox) == ("gpt", Sandbox.WORKSPACE_WRITE)
    profile = settings.access_policy.profiles[ProfileId("careful")]
    assert (profile.summary, profile.sandbox_at_most) == ("asks twice", Sandbox.WORKSPACE_WRITE)
    assert {action.value: profile.verdict(action).value for action in Action} == {
        "command": "ask",
        "file_change": "allow",
        "permissions": "deny",
        "network": "deny",
        "tool": "allow",
        "form": "deny",
        "question": "ask",
    }


def test_a_profile_may_speak_of_every_action_but_questions() -> None:
    assert {action.value for action in Action} - set(ProfileSettings.model_fields) == {"question"}


def test_an_empty_profile_asks_for_everything_and_only_reads() -> None:
    profile = ProfileSettings().named("own")
    assert {profile.verdict(action) for action in Action} == {Verdict.ASK}
    assert profile.sandbox_at_most is Sandbox.READ_ONLY


def test_a_token_is_in_no_description() -> None:
    host = HostSettings(mode="websocket", url="ws://x", token="secret")
    assert "secret" not in repr(host)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('theme = "x"\ncolour = 1\n', "line 2: colour: there is no such setting"),
        ("[host]\n\n# a comment\nmodes = 1\n", "line 4: host.modes: there is no such setting"),
        ("[hosts]\nmode = 1\n", "line 1: hosts: there is no such setting"),
        ('data_dir = "/x"\n', "line 1: data_dir: there is no such setting"),
        ('config_json = "{}"\n', "line 1: config_json: there is no such setting"),
        ("[profiles.own]\nmood = 1\n", "line 2: profiles.own.mood: there is no such setting"),
        ("[profiles.own]\nquestion = 1\n", "line 2: profiles.own.question: there is no such setting"),
        ('host.url = ""\n', "line 1: host.url: String should have at least 1 character"),
        ("theme = [\n1,\n2]\n", "line 1: theme: Input should be a valid string"),
        ('[host]\ncommand = [\n"a",\n7]\n', "line 2: host.command.1: Input should be a valid string"),
        ('[host]\nmode = "socket"\n', "line 2: host.mode: the mode socket needs the key socket too"),
        ('[host]\nmode = "command"\n', "line 2: host.mode: the mode command needs the key command too"),
        (
            '[profiles.own]\nform = "allow"\n',
            "line 2: profiles.own.form: Value error, a form is filled in by a person: ask, or deny",
        ),
        (
            "\n[profiles.operator]\n",
            "line 2: profiles.operator: operator ships with Quarterdeck and stays as it is: choose another name",
        ),
        (
            '[profiles."a b"]\n',
            "line 1: profiles.a b: a profile's name is of small letters, digits, - and _",
        ),
        (
            'theme = """\n[defaults]\nprofile = 1\n"""\n[defaults]\nprofile = "x"\n',
            "line 6: defaults.profile: There is no profile named x. "
            "Choose one of autopilot, observer, operator, or add it to config.toml.",
        ),
    ],
)
def test_an_error_names_line_and_key(file: Path, text: str, why: str) -> None:
    assert error_of(file, text) == why


def test_a_verdict_that_is_none_names_those_that_are(file: Path) -> None:
    why = error_of(file, '[profiles.own]\ncommand = "maybe"\n')
    assert why == "line 2: profiles.own.command: Input should be 'allow', 'ask' or 'deny'"


def test_a_sandbox_wider_than_the_default_profile_is_an_error(file: Path) -> None:
    why = error_of(file, '[defaults]\nprofile = "observer"\nsandbox = "workspace-write"\n')
    assert why.startswith("line 2: defaults.profile: The profile observer may not run with")


def test_every_error_is_named(file: Path) -> None:
    why = error_of(file, "a = 1\nb = 2\n[host]\nc = 3\n")
    assert re.findall(r"line (\d): ([\w.]+)", why) == [("4", "host.c"), ("1", "a"), ("2", "b")]


@pytest.mark.parametrize("text", ["theme = ", "[host\n", "a = 1\na = 2\n", "theme = 'x\n"])
def test_what_is_no_toml_is_said_with_its_line(file: Path, text: str) -> None:
    assert re.search(r"line \d|end of document", error_of(file, text))


@pytest.mark.parametrize(
    "text",
    ["theme = " + "[" * 50_000, "a = " + "9" * 5_000, "a = " + "{a=" * 50_000],
    ids=["lists", "digits", "tables"],
)
def test_what_the_parser_gives_up_on_is_an_error_too(file: Path, text: str) -> None:
    assert error_of(file, text) == "a number or a nesting in it is too large"


def test_a_file_that_cannot_be_read_is_an_error(file: Path) -> None:
    file.write_bytes(b"theme = '\xff'\n")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(file)
    file.write_bytes(b"#" * (TOO_LARGE + 1))
    with pytest.raises(SettingsError, match="larger than 1 MB"):
        load_settings(file)


def test_a_folder_or_a_pipe_in_its_place_is_an_error_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(SettingsError, match="not a file"):
            load_settings(path)


def test_an_unknown_home_is_an_error(file: Path) -> None:
    why = error_of(file, '[host]\ncodex = "~nobody-here/codex"\n')
    assert why.startswith("line 2: host.codex:")


def test_the_lines_of_a_large_file_are_found_soon() -> None:
    text = "".join(f"[t{n}]\na = 1\nb = [\n1,\n2]\n" for n in range(3_000))
    began = time.process_time()
    assert line_of(text, ("t2500", "b", 1)) == 2500 * 5 + 3
    assert time.process_time() - began < 5.0


def test_a_key_that_is_not_there_is_at_the_closest_one_above() -> None:
    text = "x = 1\n[a]\n[a.b]\nc = 1\n"
    assert line_of(text, ("a", "b", "d")) == 3
    assert line_of(text, ("z",)) == 1
    assert line_of("", ()) == 1


@given(
    before=st.lists(
        st.sampled_from(["", "# a = 1", 'x{} = """\n[s]\nkey = 1\n"""', "y{} = [\n1,\n]", "z{} = 1"])
    ),
    within=st.lists(st.sampled_from(["", "# key = 2", "w{} = 'key'", "v{} = '''\nkey = 1'''"])),
)
def test_the_line_of_a_key_is_found_among_anything(before: list[str], within: list[str]) -> None:
    head = "".join(part.format(n) + "\n" for n, part in enumerate(before)) + "[s]\n"
    head += "".join(part.format(n) + "\n" for n, part in enumerate(within))
    assert line_of(head + "key = 1\nlast = 2\n", ("s", "key")) == head.count("\n") + 1


def test_the_file_holds_nothing_that_the_command_line_gives() -> None:
    assert set(Settings.model_fields) - set(FileSettings.model_fields) == {"data_dir", "config_json"}
