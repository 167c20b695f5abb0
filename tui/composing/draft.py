"""A composer's contents as the one text that is kept on disk. Pure.

Without parts it is the text itself. With them it is JSON behind a control character, which no text of a composer
can begin with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tui.composing.parts import Image, Part, Paste

_MARK = "\x1e"


def dump_draft(text: str, parts: Mapping[str, Part]) -> str:
    """`parts` are those that stand in the text, by their placeholders."""
    if not parts:
        return text
    kept = {placeholder: _dump(part) for placeholder, part in parts.items()}
    return _MARK + json.dumps({"text": text, "parts": kept}, ensure_ascii=False)


def load_draft(draft: str) -> tuple[str, dict[str, Part]]:
    """The text and its parts. What cannot be read is given as it stands: it is a person's text."""
    if not draft.startswith(_MARK):
        return draft, {}
    try:
        raw = json.loads(draft[len(_MARK) :])
        return str(raw["text"]), {placeholder: _load(part) for placeholder, part in raw["parts"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return draft[len(_MARK) :], {}


def _dump(part: Part) -> dict[str, str]:
    return {"paste": part.text} if isinstance(part, Paste) else {"image": part.path}


def _load(raw: dict[str, Any]) -> Part:
    return Paste(str(raw["paste"])) if "paste" in raw else Image(str(raw["image"]))
