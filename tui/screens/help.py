"""Every key there is, read from the bindings themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.keymap import with_keymap
from tui.screens.dialog import CLOSE_PAGE, Dialog
from tui.transcript import cells, safe
from tui.widgets.key_names import key_names

EMPTY: Mapping[str, str] = MappingProxyType({})


class Section(NamedTuple):
    """Keys of one part of the screen: `bindings` as a class has them, `extra` keys that are no bindings.

    Of the bindings those with a description are shown.
    """

    title: str
    bindings: Iterable[BindingType] = ()
    extra: Iterable[tuple[str, str]] = ()


class HelpScreen(Dialog[None]):
    """Closed with Escape, F1 or `?`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Close", id=CLOSE_PAGE),
        Binding("f1", "dismiss", "Close", id="help"),
        Binding("question_mark", "dismiss", "Close", id="help"),
    ]

    def __init__(
        self, sections: Iterable[Section], keys: Mapping[str, str] = EMPTY, problems: Iterable[str] = ()
    ) -> None:
        """`keys` are a person's own, by name; `problems` what is wrong with others of them."""
        super().__init__()
        self._sections = tuple(sections)
        self._keys = keys
        self._problems = tuple(problems)

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help") as box:
            box.border_title = "Keys"
            if self._problems:
                yield Static("\n".join(self._problems), markup=False, classes="help-problems")
            for section in self._sections:
                yield Static(self._section(section), markup=False)

    def _section(self, section: Section) -> Content:
        keys: dict[str, list[str]] = {}
        for binding in _bindings(with_keymap(section.bindings, self._keys)):
            keys.setdefault(binding.description, []).append(safe.line(key_names(binding.key), 60))
        rows = [(", ".join(names), words) for words, names in keys.items()]
        rows += section.extra
        width = max((cells.width_of(names) for names, _ in rows), default=0)
        lines = [Content.styled(section.title, "bold $primary")]
        for names, words in rows:
            pad = " " * (width - cells.width_of(names))
            lines.append(Content.assemble("  ", (names + pad, "bold $accent"), f"  {words}"))
        return Content("\n").join(lines)


def _bindings(bindings: Iterable[BindingType]) -> Iterable[Binding]:
    for binding in bindings:
        if isinstance(binding, Binding) and binding.description:
            yield binding
