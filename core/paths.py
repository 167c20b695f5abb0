"""Paths as persons write them."""

from __future__ import annotations

from pathlib import Path

from core.errors import InvalidRequest


def expanded(path: Path) -> Path:
    """With the home folder in place of ~ or ~user. Raises InvalidRequest where there is no such user."""
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise InvalidRequest(
            f"{path} is not there", why="no such user has a home folder", todo="Write the path in full."
        ) from error
