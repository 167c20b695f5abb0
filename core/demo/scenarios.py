"""What the scripted model does for a person who writes in their own words."""

from __future__ import annotations

from core.demo.request import ModelRequest


def answer(request: ModelRequest, text: str) -> str:
    """A script (see `core.demo.script`) that answers `text`."""
    del request
    return f"/say You said: {text!r}"
