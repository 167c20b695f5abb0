"""Everything that was ever said, to be said again: found as one types, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from core.errors import QuarterdeckError
from tui.screens.dialog import CLOSE, Dialog
from tui.transcript import safe
from tui.widgets.key_names import key_shown
from tui.widgets.moments import in_brief
from tui.widgets.text_line import TextLine

if TYPE_CHECKING:
    from core.engine import Engine
    from core.rows import SaidRow

SHOWN_LINES = 40
SHOWN_CHARACTERS = 4_000


class HistoryScreen(Dialog[str | None]):
    """Gives the text that was chosen, or None."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", id=CLOSE),
        Binding("ctrl+q", "app.quit", "Quit", show=False, priority=True, id="quit"),
        Binding("tab", "elsewhere", "Here or everywhere", priority=True),
        Binding("up", "move(-1)", "Newer", show=False, priority=True),
        Binding("down,ctrl+r", "move(1)", "Older", show=False, priority=True),
        Binding("pageup", "move(-8)", "Page up", show=False, priority=True),
        Binding("pagedown", "move(8)", "Page down", show=False, priority=True),
    ]
    PART = "said"
    WRITES = True
    URGENT = ("submit",)

    def __init__(self, engine: Engine, folder: Path, text: str) -> None:
        """`text` is what is looked for at first."""
        super().__init__()
        self._engine = engine
        self._folder = folder
        self._everywhere = False
        self._input = TextLine(
            text, placeholder="Words of what you said", compact=True, select_on_focus=False
        )
        self._list = OptionList(compact=True)
        self._preview = Static(id="said-preview", markup=False)
        self._found: Sequence[SaidRow] = ()

    def compose(self) -> ComposeResult:
        with Vertical(id="said"):
            yield self._input
            yield self._list
            yield self._preview

    def on_mount(self) -> None:
        self._list.can_focus = False
        self._look_up()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._look_up()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._take()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._take()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._show_preview()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)

    def key_words(self, action: str) -> str | None:
        match action:
            case "submit":
                return "Take it" if self._found else ""
            case "move(-1)" | "move(1)":
                return "Choose" if len(self._found) > 1 else ""
            case "elsewhere":
                return "Here only" if self._everywhere else "All folders"
            case _:
                return super().key_words(action)

    def action_elsewhere(self) -> None:
        """Look in all folders, or in this one again."""
        self._everywhere = not self._everywhere
        self._look_up()

    def action_move(self, step: int) -> None:
        if self._found:
            place = (self._list.highlighted or 0) + step
            self._list.highlighted = min(max(place, 0), len(self._found) - 1)

    def _take(self) -> None:
        place = self._list.highlighted
        if place is not None and place < len(self._found):
            self.dismiss(self._found[place].text)

    def _look_up(self) -> None:
        where = "all folders" if self._everywhere else safe.line(str(self._folder), 60)
        self.query_one("#said").border_title = Content(f"What you said in {where}")
        self.run_worker(self._find(self._input.value), exclusive=True)

    async def _find(self, text: str) -> None:
        folder = None if self._everywhere else str(self._folder)
        tab = key_shown(self.app, "said_elsewhere", "tab")
        empty = f"Nothing like it was said here. Take a word back, or press {tab} for all folders."
        try:
            self._found = await self._engine.said.find(text, folder)
        except QuarterdeckError as error:
            self._found, empty = (), safe.line(str(error))
        self._list.clear_options()
        self._list.add_options(
            [Option(_line(said, everywhere=self._everywhere)) for said in self._found]
            or [Option(Content(empty), disabled=True)]
        )
        self._list.highlighted = 0 if self._found else None
        self._show_preview()
        self.refresh_bindings()

    def _show_preview(self) -> None:
        place = self._list.highlighted
        said = self._found[place] if place is not None and place < len(self._found) else None
        self._preview.display = said is not None and (
            "\n" in said.text or len(said.text) > self.size.width // 2
        )
        if said is not None:
            lines = safe.block(said.text[:SHOWN_CHARACTERS]).split("\n")
            more = [f"… {len(lines) - SHOWN_LINES} more lines"] if len(lines) > SHOWN_LINES else []
            self._preview.update(Content("\n".join([*lines[:SHOWN_LINES], *more])))


def _line(said: SaidRow, *, everywhere: bool) -> Content:
    where = f"  {safe.line(Path(said.path).name, 24)}" if everywhere else ""
    text = safe.line(" ".join(said.text[:SHOWN_CHARACTERS].split()), 300)
    return Content.assemble((in_brief(said.at_ms), "$foreground 60%"), (where, "$accent"), f"  {text}")
