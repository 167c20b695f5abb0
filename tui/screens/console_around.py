"""What is around the conversation: the switches, and what the status line knows."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from core.errors import CodexError, QuarterdeckError
from tui.screens.console_away import ConsoleAway
from tui.widgets.status_line import StatusText

if TYPE_CHECKING:
    from core.agent.port import Model
    from core.conversation.choosing import Selected
    from core.conversation.workspace import Choices
    from tui.hearing import Heard

ABOUT = {
    "model": "model",
    "effort": "effort",
    "profile": "profile",
    "sandbox": "sandbox",
    "approvals": "sandbox",
}
"""Which switch a click on a part of the status line opens."""


SECTIONS = {"context": "usage", "branch": "changes"}
"""Which section of the inspector a click on another part opens."""


class ConsoleAround(ConsoleAway):
    """Learns what Codex runs with as soon as it is there, and lets a person switch it."""

    _models: tuple[Model, ...] = ()

    def show_place(self) -> None:
        super().show_place()
        self.learn()

    def show_heard(self, heard: Heard) -> None:
        super().show_heard(heard)
        if heard.host is not None:
            self.learn()

    def _focus_changed(self, focused: bool) -> None:
        """Somebody may have worked in the folder meanwhile."""
        super()._focus_changed(focused)
        if focused:
            self.learn()

    def learn(self) -> None:
        """Read again what the status line tells of the current place."""
        if self.desk is not None:
            self.run_worker(self._learn(), group="learn", exclusive=True)

    async def _learn(self) -> None:
        from tui.inspector.git import branch_of

        desk = self.desk
        assert desk is not None
        place = desk.current
        self.branch = await asyncio.to_thread(branch_of, place.path)
        self.show_facts()
        if desk.engine.host.phase.value != "ready":
            return
        try:
            await desk.learn_beginning(place)
            self._models = self._models or await desk.engine.switches.models()
        except CodexError:
            return  # The host is said to be away where that is so; it is asked again when it is back.
        except QuarterdeckError as error:
            self.tell_error(error)
        self.show_facts()

    def selected(self) -> Selected | None:
        """With the model's own effort where nobody chose one."""
        found = super().selected()
        if found is None or found.effort:
            return found
        model = next((model for model in self._models if model.id == found.model), None)
        return replace(found, effort=(model.default_effort or "") if model is not None else "")

    # Switches.

    def on_status_text_clicked(self, event: StatusText.Clicked) -> None:
        event.stop()
        if switch := ABOUT.get(event.name):
            self.action_switch(switch)
        elif section := SECTIONS.get(event.name):
            self.run_worker(self.action_inspect(section), group="inspect")

    def action_switch(self, what: str) -> None:
        """Choose another model, effort, profile or sandbox, from the next turn on; or the colours, at once."""
        if self.desk is not None:
            self.run_worker(self._switch(what), group="switch", exclusive=True)

    async def _switch(self, what: str) -> None:
        if what == "theme":
            await self.switch_theme()
            return
        from tui.screens.pick import PickScreen
        from tui.screens.switches import TITLES, change_of, picks_of

        desk = self.desk
        assert desk is not None
        try:
            if what in ("model", "effort"):
                self._models = await desk.engine.switches.models()
        except QuarterdeckError as error:
            self.tell_error(error)
            return
        selected = self.selected()
        picks = picks_of(what, selected, self._models, desk.engine.switches.profiles())
        value = await self.app.push_screen_wait(PickScreen(TITLES[what], picks))
        if value is not None:
            await self.choose(change_of(value))

    async def choose(self, change: Choices) -> None:
        """Switch the current conversation, or the one that is begun next; a refusal is told."""
        desk = self.desk
        assert desk is not None
        if await self.attempt(desk.select(desk.current, change)):
            self.show_facts()
            told = self.selected()
            if told is not None and told.coming:
                self.notices.tell(f"From the next turn on: {', '.join(_words(told, change))}")


def _words(told: Selected, change: Choices) -> list[str]:
    """What was switched, in a word each."""
    return [getattr(told, name) for name, value in change if value is not None]
