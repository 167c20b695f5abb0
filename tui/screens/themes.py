"""The themes as a list to choose from. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import BUILTIN_THEMES, Theme

from tui.screens.pick import Pick
from tui.theme import PLAIN, load_themes

_WORDS = {
    "quarterdeck-dark": "dark, calm",
    "quarterdeck-light": "light",
    "quarterdeck-high-contrast": "dark, for who needs strong contrasts",
    "quarterdeck-high-contrast-light": "light, for who needs strong contrasts",
    PLAIN: "the sixteen colours of your terminal",
}


def theme_picks(themes: Mapping[str, Theme], now: str) -> list[Pick]:
    """Ours, a person's own, then those that come with Textual."""
    ours = [theme.name for theme in load_themes()]
    own = [name for name in themes if name not in ours and name not in BUILTIN_THEMES]
    groups = (("Quarterdeck's", ours), ("Your own", sorted(own)), ("More", sorted(BUILTIN_THEMES)))
    return [
        Pick(name, name, _WORDS.get(name, "dark" if themes[name].dark else "light"), name == now, group)
        for group, names in groups
        for name in names
        if name in themes and not (group == "More" and "ansi" in name)
    ]
