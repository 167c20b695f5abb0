"""The line of the sessions browser: words and filters, which are completed."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.suggester import Suggester

from core.sessions.model import Facets
from tui.keymap import Keyed
from tui.sessions import filter_line
from tui.widgets.text_line import TextLine


class FindInput(Keyed, TextLine):
    """Where one types. The list is moved through from here too."""

    PART = "sessions"
    WRITES = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.move(-1)", show=False),
        Binding("down", "screen.move(1)", show=False),
        Binding("pageup", "screen.page(-1)", show=False),
        Binding("pagedown", "screen.page(1)", show=False),
        Binding("enter", "screen.resume", "Resume"),
        Binding("tab", "screen.into_list", "What can be done"),
    ]

    def __init__(self, facets: Callable[[], Facets], *, widget_id: str) -> None:
        """`facets`: what the sessions have now, for the completions."""
        super().__init__(
            placeholder="Type to find: words, or in:folder is:archived model:… since:2w",
            compact=True,
            suggester=_Completing(facets),
            id=widget_id,
        )


class _Completing(Suggester):
    def __init__(self, facets: Callable[[], Facets]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._facets = facets

    async def get_suggestion(self, value: str) -> str | None:
        return filter_line.completion(value, self._facets())
