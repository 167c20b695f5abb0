"""What the command line asked for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from core.errors import InvalidRequest


@dataclass(frozen=True, slots=True)
class Launch:
    """`folder` is where Codex works; `message` is sent first; `latest` goes on with that folder's last conversation; `over`
    names the screen to open over the console."""

    folder: Path
    message: str = ""
    latest: bool = False
    demo: bool = False
    over: str = ""


def check_folder(folder: Path) -> Path:
    """The folder, absolute. Raises InvalidRequest for one that Codex could not work in."""
    path = folder.expanduser().absolute()
    if not path.exists():
        raise InvalidRequest(f"There is no folder {path}", todo="Name one that exists, with --cd.")
    if not path.is_dir():
        raise InvalidRequest(f"{path} is no folder", todo="Name a folder, with --cd.")
    if not os.access(path, os.R_OK | os.X_OK):
        raise InvalidRequest(f"{path} cannot be read", why="its permissions forbid it", todo="Change them.")
    return path
