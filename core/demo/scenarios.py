"""What the scripted model does for a person who writes in their own words."""

from __future__ import annotations

from core.demo.request import ModelRequest
from core.demo.script import Say, Step


def answer(request: ModelRequest, text: str) -> tuple[Step, ...]:
    """The steps that answer `text`."""
    del request
    return (Say(f"You said: {text}"),)
