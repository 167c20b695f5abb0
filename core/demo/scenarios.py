"""What the scripted model does for a person who writes in their own words, and for Codex itself.

Each scenario is a script in `scripts/`; the first row of the table that fits the message wins.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from core.demo import script
from core.demo.example import example
from core.demo.request import ModelRequest
from core.demo.script import parse_script
from core.demo.steps import Say, Step

_SCRIPTS = Path(__file__).with_name("scripts")

SCENARIOS: tuple[tuple[str, str], ...] = (
    (r"tour|everything|show me all", "tour"),
    (r"review", "review"),
    (r"long|stream|essay|story", "long"),
    (r"cut|disconnect", "cut"),
    (r"limit|429", "limit"),
    (r"fail|error|crash|500", "fail"),
    (r"approv\w*|outside|escalate\w*|sudo", "approval"),
    (r"permissions?|rights?|network", "permissions"),
    (r"forms?|berth", "form"),
    (r"link|chart|url", "link"),
    (r"sub-?agents?|agents?", "agent"),
    (r"image|picture|flag", "image"),
    (r"type|input|interactive", "interactive"),
    (r"strange|escape|hostile|colou?rs?", "strange"),
    (r"markdown|table|format\w*", "markdown"),
    (r"search|web", "search"),
    (r"plan|todo|steps", "plan"),
    (r"think|reason\w*|why", "think"),
    (r"ask|questions?", "question"),
    (r"mcp|tools?|tide", "tool"),
    (r"edit|change|patch|write|files?|diff", "edit"),
    (r"run|command|shell|boats?", "command"),
)
"""Words (a pattern for whole words, any case) and the script that they start."""

_MARKS = {"{{escape}}": "\x1b", "{{right-to-left}}": "\u202e", "{{end}}": "\u202c"}


def answer(request: ModelRequest, text: str) -> tuple[Step, ...]:
    """The steps for a message that is no script, or for a request of Codex's own."""
    if request.kind != "turn":
        said = "\n".join(f"- {message.text[:200]}" for message in request.said)
        return (Say(f"So far the person said:\n{said}"),)
    if request.schema is not None:
        about = _title(text) if request.source == "thread_title" else text
        return (Say(json.dumps(example(request.schema, about), ensure_ascii=False)),)
    if re.search(r"\bdirectives?\b", text, re.IGNORECASE):
        return (Say(f"```text\n{script.__doc__}\n```"),)
    for words, name in SCENARIOS:
        if re.search(rf"\b(?:{words})\b", text, re.IGNORECASE):
            return load(name)
    return load("help")


@cache
def load(name: str) -> tuple[Step, ...]:
    """The steps of `scripts/NAME.txt`."""
    text = (_SCRIPTS / f"{name}.txt").read_text("utf-8")
    for mark, character in _MARKS.items():
        text = text.replace(mark, character)
    return parse_script(text)


def _title(asked: str) -> str:
    """Codex sends its instructions and then the prompt that wants a title."""
    words = asked.rpartition("User prompt:")[2].split()
    return " ".join(words[:5]).capitalize() or "A conversation"
