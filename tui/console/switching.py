"""What is around the conversation: the switches, and what the status line knows."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from core.errors import CodexError, QuarterdeckError
from tui.console.ability import Ability

if TYPE_CHECKING:
    from core.agent.port import Model
    from core.conversation.choosing import Selected
    from core.conversation.workspace import Choices
    from tui.hearing import Heard


class Switching(Ability):
    """Learns what Codex runs with as soon as it is there, and lets a person switch it."""

    _models: tuple[Model, ...] = ()

    def place_shown(self) -> None:
        self.learn()

    def heard(self, heard: Heard) -> None:
        if heard.host is not None:
            self.learn()

    def focus_changed(self, focused: bool) -> None:
        """Somebody may have worked in the folder meanwhile."""
        if focused:
            self.learn()

    def learn(self) -> None:
        """Read again what the status line tells of the current place."""
        if self.desk is not None:
            self.console.run_worker(self._learn(), group="learn", exclusive=True)

    async def _learn(self) -> None:
        from tui.inspector.git import branch_of

        desk = self.desk
        assert desk is not None
        place = desk.current
        self.console.branch = await asyncio.to_thread(branch_of, place.path)
        self.console.show_facts()
        if desk.engine.host.phase.value != "ready":
            return
        try:
            await desk.learn_beginning(place)
            self._models = self._models or await desk.engine.switches.models()
        except CodexError:
            return  # The host is said to be away where that is so; it is asked again when it is back.
        except QuarterdeckError as error:
            self.console.tell_error(error)
        self.console.show_facts()

    def selected(self) -> Selected | None:
        """What the next turn runs with; with the model's own effort where nobody chose one."""
        found = self.desk.current.selected if self.desk is not None else None
        if found is None or found.effort:
            return found
        model = next((model for model in self._models if model.id == found.model), None)
        return replace(found, effort=(model.default_effort or "") if model is not None else "")

    def switch(self, what: str) -> None:
        """Choose another model, effort, profile or sandbox, from the next turn on; or the colours, at once."""
        if self.desk is not None:
            self.console.run_worker(self._switch(what), group="switch", exclusive=True)

    async def _switch(self, what: str) -> None:
        if what == "theme":
            await self.console.configuring.switch_theme()
            return
        from tui.screens.pick import PickScreen
        from tui.screens.switches import TITLES, change_of, picks_of

        desk = self.desk
        assert desk is not None
        try:
            if what in ("model", "effort"):
                self._models = await desk.engine.switches.models()
        except QuarterdeckError as error:
            self.console.tell_error(error)
            return
        picks = picks_of(what, self.selected(), self._models, desk.engine.switches.profiles())
        value = await self.console.app.push_screen_wait(PickScreen(TITLES[what], picks))
        if value is not None:
            await self.choose(change_of(value))

    async def choose(self, change: Choices) -> None:
        """Switch the current conversation, or the one that is begun next; a refusal is told."""
        desk = self.desk
        assert desk is not None
        if await self.console.attempt(desk.select(desk.current, change)):
            self.console.show_facts()
            told = self.selected()
            if told is not None and told.coming:
                self.console.notices.tell(f"From the next turn on: {', '.join(_words(told, change))}")


def _words(told: Selected, change: Choices) -> list[str]:
    """What was switched, in a word each."""
    return [getattr(told, name) for name, value in change if value is not None]
