"""What the console's keys do now, for the bar that shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tui.console.ability import Ability

if TYPE_CHECKING:
    from tui.widgets.key_chips import Chip


class KeyWords(Ability):
    """Of the keys that mean something else by where the focus is."""

    def words(self, action: str) -> str | None:
        """As `TellsKeys.key_words`."""
        match action:
            case "answer":
                return self._of_answer()
            case "back":
                return self._of_back()
            case "listing":
                return "Hide the list" if self.console.focused is self.console.sessions else None
            case _:
                return None

    def chips(self) -> Iterable[Chip]:
        """The keys of a command's pane, where they work from the composer too."""
        return self.console.commands.chips() if self._writing else ()

    @property
    def _writing(self) -> bool:
        return self.console.focused is self.console.composer.input

    def _of_answer(self) -> str | None:
        prompts, sign_in = self.console.prompts, self.console.sign_in
        if prompts is not None and prompts.has_focus_within:
            return "Next request" if prompts.others else ""
        return "" if sign_in is not None and sign_in.has_focus_within else None

    def _of_back(self) -> str:
        """Nothing where Escape means something else first; within a prompt that is said there."""
        if not self._writing:
            return "Back"
        if self.console.composer.choosing or self.console.commands.running:
            return ""
        if self.desk is not None and self.desk.current.running:
            return "Interrupt"
        return "Dismiss" if self.console.notices.showing else ""
