"""Changing config.toml: one value at a time, checked before it is written, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from core.errors import SettingsError
from core.settings import Settings, parse_settings, read_text
from core.settings_edit import Keys, Value, set_value

_BOM = "\ufeff"


def write_setting(path: Path, keys: Keys, value: Value | None) -> Settings:
    """Set a value in the file, or take it out (None: the default holds). The settings as they are then.

    Nothing else of the file changes; it is made where there is none. Blocks for a write to disk. Raises
    SettingsError for a value that cannot be, a file that is damaged, or one that cannot be written.
    """
    text = read_text(path) or ""
    edited = set_value(text, keys, value)
    settings = parse_settings(edited, path)
    if edited != text:
        _replace(path, edited)
    return settings


def _replace(path: Path, text: str) -> None:
    """What a link leads to is replaced, not the link; rights and a byte order mark stay."""
    try:
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        old = target.read_bytes() if target.exists() else b""
        data = (_BOM + text if old.startswith(_BOM.encode()) else text).encode()
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".config-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                Path(name).chmod(target.stat().st_mode & 0o7777)
            Path(name).replace(target)
        except BaseException:
            with suppress(FileNotFoundError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be written", why=str(error.strerror or error), todo="Mend that, then try again."
        ) from error
