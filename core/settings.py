"""config.toml -> one frozen value.

Every setting has a default: no file is no error. A file that cannot be used is a SettingsError that
names the line or the key, and nothing of it is applied.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from platformdirs import PlatformDirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.agent.port import Approvals, Sandbox
from core.errors import SettingsError

DIRS = PlatformDirs("quarterdeck", appauthor=False)
TOO_LARGE = 1_000_000


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class HostSettings(_Section):
    """How to reach Codex. `mode` "command" runs `command` and speaks JSON lines with it."""

    mode: Literal["control-socket", "stdio", "socket", "websocket", "command"] = "control-socket"
    codex: Path | None = None
    codex_home: Path | None = None
    socket: Path | None = None
    url: str | None = None
    token: str | None = None
    command: tuple[str, ...] = ()


class DefaultsSettings(_Section):
    """What a new workspace starts with. None leaves it to Codex's own settings."""

    model: str | None = None
    effort: str | None = None
    sandbox: Sandbox | None = None
    approvals: Approvals | None = None
    profile: str = "operator"


class Settings(_Section):
    """All settings. `data_dir` is where the database is; not in the file, the command line gives it."""

    theme: str = "quarterdeck-dark"
    host: HostSettings = Field(default_factory=HostSettings)
    defaults: DefaultsSettings = Field(default_factory=DefaultsSettings)
    data_dir: Path = Field(default_factory=lambda: Path(DIRS.user_data_dir), exclude=True)
    config_json: str | None = Field(default=None, exclude=True)
    """Codex settings for every thread we start, as JSON: the demo's."""


def config_path() -> Path:
    return Path(DIRS.user_config_dir) / "config.toml"


def load_settings(path: Path) -> Settings:
    """The settings in `path`; the defaults where there is no such file. Raises SettingsError."""
    try:
        if path.stat().st_size > TOO_LARGE:
            raise SettingsError(f"{path} is not used", why="it is larger than 1 MB", todo="Make it smaller.")
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read", why=str(error), todo="Mend or move it.") from error
    try:
        return Settings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML", why=str(error), todo="Mend that line.") from error
    except ValidationError as error:
        raise SettingsError(f"{path} cannot be used", why=_explain(error, text), todo="Mend it.") from error


def _explain(error: ValidationError, text: str) -> str:
    return "; ".join(
        f"line {_line_of(text, detail['loc'])}: {'.'.join(map(str, detail['loc']))}: {detail['msg']}"
        for detail in error.errors()
    )


def _line_of(text: str, loc: tuple[int | str, ...]) -> int:
    """The line of the key, found by its last two names; 1 where it cannot be told."""
    names = [str(part) for part in loc if isinstance(part, str)]
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            section = stripped.strip("[]").strip()
        key = stripped.partition("=")[0].strip().strip("\"'")
        if names and key == names[-1] and section.split(".")[-1] == (names[-2] if len(names) > 1 else ""):
            return number
        if names and section == names[-1] and stripped.startswith("["):
            return number
    return 1
