"""Asks where decisions are to be written, and writes them there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from core.access.ledger import LedgerFilter
from core.errors import QuarterdeckError
from core.paths import expanded
from tui.screens.dialog import CLOSE, Dialog
from tui.transcript import safe
from tui.transcript.panes.words import count as counted
from tui.widgets.text_line import TextLine

if TYPE_CHECKING:
    from core.engine import Engine

_HINT = "As JSON Lines where the name ends in .jsonl, as a table where it ends in .csv"


class ExportScreen(Dialog[str | None]):
    """Closed with what was written, in words, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back", id=CLOSE)]

    def __init__(self, engine: Engine, where: LedgerFilter, count: int) -> None:
        super().__init__()
        self._engine = engine
        self._where = where
        self._count = count

    def compose(self) -> ComposeResult:
        with Vertical(id="export") as box:
            box.border_title = Content(f"Write {counted(self._count, 'decision')} to a file")
            yield TextLine("quarterdeck-ledger.jsonl", id="export-path")
            yield Static(Content(_HINT), id="export-said", markup=False)

    def key_words(self, action: str) -> str | None:
        return "Write it" if action == "submit" else super().key_words(action)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.run_worker(self._write(Path(event.value.strip())), exclusive=True)

    async def _write(self, named: Path) -> None:
        said = self.query_one("#export-said", Static)
        said.update(Content("Writing…"))
        try:
            path = expanded(named).absolute()
            written = await self._engine.ledger.export(path, self._where)
        except QuarterdeckError as error:
            said.update(Content(safe.line(str(error))))
            said.add_class("-problem")
            return
        self.dismiss(f"Wrote {counted(written.count, 'decision')} to {written.path}")
