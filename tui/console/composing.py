"""Writing on the console: what was said before, and the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from tui.console.ability import Ability

if TYPE_CHECKING:
    from tui.place import Place
    from tui.widgets.writing import Writing


class Composing(Ability):
    """Puts into the composer what comes from elsewhere."""

    def opened(self) -> None:
        from tui.composing.sources import EngineSources

        desk = self.desk
        assert desk is not None
        self.console.composer.use(EngineSources(desk.engine, lambda: desk.current.path))

    def recall(self) -> None:
        """Find what was said before, beginning with what is written; with nothing written, find sessions."""
        if self.console.composer.empty:
            self.console.action_over("sessions")
        else:
            self.find_said()

    def find_said(self) -> None:
        """Find what was said before."""
        from tui.composing.history import HistoryScreen

        if self.desk is not None:
            place = self.desk.current
            screen = HistoryScreen(self.desk.engine, place.path, self.console.composer.first_words())
            self.console.app.push_screen(screen, lambda text: self._say_again(place, text))

    def _say_again(self, place: Place, text: str | None) -> None:
        if text is not None and self.desk is not None and place is self.desk.current:
            self.console.composer.replace(text)
            self.console.composer.focus_input()

    def undo(self) -> None:
        """Undo what was last done in the message."""
        self.console.composer.focus_input()
        self.console.composer.input.undo()

    def redo(self) -> None:
        self.console.composer.focus_input()
        self.console.composer.input.redo()

    def edit(self) -> None:
        """Write the message in $VISUAL or $EDITOR."""
        self.console.run_worker(self._edit(), group="edit")

    async def _edit(self) -> None:
        from tui.composing.editor import edited

        composer = self.console.composer
        writing, text = composer.writing, composer.input.text
        try:
            changed = await edited(self.console.app, text)
        except QuarterdeckError as error:
            self.console.tell_error(error)
            return
        if changed != text:
            self._put(writing, changed)
        composer.focus_input()

    def _put(self, writing: Writing, text: str) -> None:
        """Where it was written, though the person is elsewhere by now; where that is gone, it can be recalled."""
        composer, desk = self.console.composer, self.desk
        if writing is composer.writing:
            composer.replace(text)
            return
        writing.text = text
        if desk is not None:
            desk.edited(writing)
            if desk.place_of(writing) is None:
                desk.current.writing.heard([text])
                self.console.tell_left()
