"""The themes of `styles/themes.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

from textual.theme import Theme

STYLES = Path(__file__).parent.parent / "styles"


def load_themes() -> tuple[Theme, ...]:
    """All themes of the file; their names are its tables'."""
    tables = tomllib.loads((STYLES / "themes.toml").read_text(encoding="utf-8"))
    return tuple(Theme(name, **colours) for name, colours in tables.items())
