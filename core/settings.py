"""config.toml -> one frozen value.

Every setting has a default: no file is no error. A file that cannot be used is a SettingsError that
names line and key, and nothing of it is applied.
"""

from __future__ import annotations

import re
import stat
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from platformdirs import PlatformDirs
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from core.access.destructive import SHIPPED as SHIPPED_DESTRUCTIVE
from core.access.destructive import DestructivePattern
from core.access.policy import (
    SHIPPED,
    AccessContext,
    AccessPolicy,
    Action,
    Profile,
    ProfileId,
    Verdict,
    authorize,
)
from core.agent.port import Approvals, Sandbox
from core.errors import InvalidRequest, SettingsError, Unauthorized
from core.knowledge.documents import KnowledgeMode, KnowledgePolicy
from core.settings_lines import line_of

DIRS = PlatformDirs("quarterdeck", appauthor=False)
TOO_LARGE = 1_000_000
"""Bytes."""


def _expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ValueError(str(error)) from error


HomePath = Annotated[Path, AfterValidator(_expanded)]
"""A path in which `~` is the home folder."""
Text = Annotated[str, Field(min_length=1)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class HostSettings(_Section):
    """How to reach Codex. `mode` "command" runs `command` and speaks JSON lines with it."""

    mode: Literal["control-socket", "stdio", "socket", "websocket", "command"] = "control-socket"
    codex: HomePath | None = None
    codex_home: HomePath | None = None
    socket: HomePath | None = None
    url: Text | None = None
    token: Text | None = Field(default=None, repr=False)
    command: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _mode_has_what_it_needs(self) -> HostSettings:
        needed = {"socket": "socket", "websocket": "url", "command": "command"}.get(self.mode)
        if needed is not None and not getattr(self, needed):
            raise _at(("mode",), f"the mode {self.mode} needs the key {needed} too")
        return self


class ProfileSettings(_Section):
    """An access profile of one's own: the widest sandbox, and what is done with each kind of action."""

    summary: str = ""
    sandbox_at_most: Sandbox = Sandbox.READ_ONLY
    command: Verdict = Verdict.ASK
    file_change: Verdict = Verdict.ASK
    permissions: Verdict = Verdict.ASK
    network: Verdict = Verdict.ASK
    tool: Verdict = Verdict.ASK
    form: Verdict = Verdict.ASK

    @field_validator("form")
    @classmethod
    def _nobody_else_fills_in_a_form(cls, verdict: Verdict) -> Verdict:
        if verdict is Verdict.ALLOW:
            raise ValueError("a form is filled in by a person: ask, or deny")
        return verdict

    def named(self, name: str) -> Profile:
        """The profile of this name. Questions are always a person's."""
        verdicts = {action: getattr(self, action.value) for action in Action if action is not Action.QUESTION}
        return Profile(ProfileId(name), self.summary, self.sandbox_at_most, verdicts)


class DefaultsSettings(_Section):
    """What a new workspace starts with. None leaves it to Codex's own settings."""

    model: Text | None = None
    effort: Text | None = None
    sandbox: Sandbox | None = None
    approvals: Approvals | None = None
    profile: str = "operator"


class KnowledgeSettings(_Section):
    """What is put before what is said: nothing, the pinned documents, or those and the ones that match."""

    mode: KnowledgeMode = KnowledgeMode.PINNED
    budget_tokens: int = Field(default=4_000, ge=0, le=200_000)
    forget_on_close: bool = False

    @property
    def policy(self) -> KnowledgePolicy:
        return KnowledgePolicy(self.mode, self.budget_tokens, self.forget_on_close)


class ToolSettings(_Section):
    """`off`: names of toolsets that Codex is not offered, of those that ship or are installed."""

    off: tuple[Text, ...] = ()


class DecisionSettings(_Section):
    """`destructive`: commands that are asked about twice (`core.access.destructive`). `remind_minutes`: after how
    long an unanswered request calls again; 0 for never."""

    destructive: tuple[Text, ...] = SHIPPED_DESTRUCTIVE
    remind_minutes: float = Field(default=5, ge=0, le=10_000)

    @field_validator("destructive")
    @classmethod
    def _patterns_can_be_read(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        for text in texts:
            try:
                DestructivePattern.parse(text)
            except InvalidRequest as error:
                raise ValueError(str(error)) from error
        return texts

    @property
    def patterns(self) -> tuple[DestructivePattern, ...]:
        return tuple(map(DestructivePattern.parse, self.destructive))


class AwaySettings(_Section):
    """What is told on the terminal while nobody looks at it. `notify` "auto": as the terminal can."""

    notify: Literal["auto", "osc9", "osc777", "bell", "off"] = "auto"
    turn_done: bool = True
    needs_you: bool = True
    failed: bool = True
    title: bool = True


class FileSettings(_Section):
    """All that config.toml may hold. `profiles` by name, beside the shipped ones; `keys` by action."""

    theme: Text = "quarterdeck-dark"
    host: HostSettings = Field(default_factory=HostSettings)
    profiles: dict[str, ProfileSettings] = Field(default_factory=dict[str, ProfileSettings])
    defaults: DefaultsSettings = Field(default_factory=DefaultsSettings)
    knowledge: KnowledgeSettings = Field(default_factory=KnowledgeSettings)
    tools: ToolSettings = Field(default_factory=ToolSettings)
    decisions: DecisionSettings = Field(default_factory=DecisionSettings)
    away: AwaySettings = Field(default_factory=AwaySettings)
    keys: dict[str, str] = Field(default_factory=dict[str, str])

    @field_validator("profiles")
    @classmethod
    def _profiles_have_names_of_their_own(
        cls, profiles: dict[str, ProfileSettings]
    ) -> dict[str, ProfileSettings]:
        for name in profiles:
            if name in {profile.id for profile in SHIPPED}:
                raise _at((name,), f"{name} ships with Quarterdeck and stays as it is: choose another name")
            if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
                raise _at((name,), "a profile's name is of small letters, digits, - and _")
        return profiles

    @field_validator("defaults")
    @classmethod
    def _profile_fits(cls, defaults: DefaultsSettings, info: ValidationInfo) -> DefaultsSettings:
        profiles = info.data.get("profiles")
        if profiles is not None:
            try:
                authorize(AccessContext("", defaults.sandbox), ProfileId(defaults.profile), _policy(profiles))
            except Unauthorized as error:
                raise _at(("profile",), str(error)) from error
        return defaults

    @property
    def access_policy(self) -> AccessPolicy:
        """The shipped profiles and those of the file."""
        return _policy(self.profiles)


class Settings(FileSettings):
    """All settings. What is added here is not for the file: the command line and the demo give it.

    `data_dir` is where the database is, `config_json` Codex settings for every thread we start.
    """

    data_dir: Path = Field(default_factory=lambda: Path(DIRS.user_data_dir), exclude=True)
    config_json: str | None = Field(default=None, exclude=True)


def config_path() -> Path:
    return Path(DIRS.user_config_dir) / "config.toml"


def load_settings(path: Path) -> Settings:
    """The settings in `path`; the defaults where there is no such file. Raises SettingsError."""
    text = read_text(path)
    return Settings() if text is None else parse_settings(text, path)


def parse_settings(text: str, path: Path) -> Settings:
    """The settings in a text that is, or is to be, in `path`. Raises SettingsError."""
    try:
        found = FileSettings.model_validate(tomllib.loads(text))
    except ValidationError as error:
        why = "; ".join(_explain(detail, text) for detail in error.errors(include_url=False))
        raise SettingsError(f"{path} cannot be used", why=why, todo="Mend it.") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML", why=str(error), todo="Mend that line.") from error
    except (ValueError, RecursionError) as error:
        why = "a number or a nesting in it is too large"
        raise SettingsError(f"{path} cannot be used", why=why, todo="Mend it.") from error
    return Settings.model_construct(**{name: getattr(found, name) for name in FileSettings.model_fields})


def read_text(path: Path) -> str | None:
    """The text of the file; None where there is none. Never waits, as reading a pipe would."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise SettingsError(f"{path} is not used", why="it is not a file", todo="Move it away.")
        if about.st_size > TOO_LARGE:
            raise SettingsError(f"{path} is not used", why="it is larger than 1 MB", todo="Make it smaller.")
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read", why=str(error), todo="Mend or move it.") from error


def _policy(profiles: dict[str, ProfileSettings]) -> AccessPolicy:
    return AccessPolicy.with_own(profile.named(name) for name, profile in profiles.items())


def _at(keys: tuple[str, ...], message: str) -> PydanticCustomError:
    """An error about what is at `keys` below the value that is being checked."""
    return PydanticCustomError("settings", "{message}", {"message": message, "keys": keys})


def _explain(detail: ErrorDetails, text: str) -> str:
    keys = (*detail["loc"], *detail.get("ctx", {}).get("keys", ()))
    unknown = detail["type"] == "extra_forbidden"
    message = "there is no such setting" if unknown else detail["msg"]
    return f"line {line_of(text, keys)}: {'.'.join(map(str, keys))}: {message}"
