"""Commands that a person runs in the sandbox, from a line that begins with an exclamation mark."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from core.errors import QuarterdeckError
from tui.console.ability import Ability
from tui.widgets.key_names import key_shown

if TYPE_CHECKING:
    from core.agent.lookups import CommandOutput, ShellCommand
    from tui.composing.command_pane import CommandPane
    from tui.composing.command_run import CommandRun
    from tui.screens.console import ConsoleScreen
    from tui.widgets.composer import Composer
    from tui.widgets.key_chips import Chip
    from tui.widgets.writing import Writing


class ShellCommands(Ability):
    """Owns those that run; each ends with the console, or at a word of the person's."""

    pane: CommandPane | None = None
    """Made when a command is first run."""

    def __init__(self, console: ConsoleScreen) -> None:
        super().__init__(console)
        self._runs: WeakKeyDictionary[Writing, tuple[CommandRun, ShellCommand]] = WeakKeyDictionary()
        console.composer.also_takes = self._pane_takes

    def place_shown(self) -> None:
        self._show_run()

    async def begin(self, asked: Composer.ShellAsked) -> None:
        """Run a line, unless one still runs for the same message: then it is given back."""
        from tui.composing.command_pane import CommandPane
        from tui.composing.command_run import CommandRun

        console = self.console
        console.notices.forget("composer")
        running = self._runs.get(asked.writing)
        place = self.desk.place_of(asked.writing) if self.desk is not None else None
        if self.desk is None or place is None or (running is not None and not running[0].over):
            stops = key_shown(console.app, "command_stop", "escape")
            why = (
                f"A command still runs: {stops} stops it"
                if place is not None
                else "It was not run: try again"
            )
            why = "Codex is not there yet" if self.desk is None else why
            console.notices.tell(why, topic="composer")
            console.composer.give_back(asked.writing, f"!{asked.line}")
            return
        if self.pane is None:
            self.pane = CommandPane()
            await console.query_one("#main").mount(self.pane, before=console.composer)
        sandbox = place.selected.sandbox if place.selected is not None else ""
        run = CommandRun(asked.line, monotonic())
        command = self.desk.engine.shell.command(asked.line, place.path, sandbox)
        self._runs[asked.writing] = run, command
        asked.writing.command = asked.line
        self.desk.edited(asked.writing)
        self._show_run()
        if console.composer.empty and asked.writing is console.composer.writing:
            self.pane.focus()
        console.run_worker(self._run(run, command, place.id), group="commands")

    async def _run(self, run: CommandRun, command: ShellCommand, conversation_id: str | None) -> None:
        assert self.desk is not None

        def heard(output: CommandOutput) -> None:
            run.add(output.text)
            run.cut = run.cut or output.cut

        try:
            run.code = await self.desk.engine.shell.run(command, heard, conversation_id)
        except QuarterdeckError as error:
            run.problem = str(error)
        if self.pane is not None and self.pane.run is run:
            self.pane.draw()

    @property
    def running(self) -> bool:
        """Does the one that is shown run?"""
        return self.pane is not None and self.pane.runs

    def chips(self) -> list[Chip]:
        """The keys of its pane that work from the composer now."""
        if self.pane is None or self.pane.run is None:
            return []
        return [] if self.pane.run.over and not self.console.composer.empty else self.pane.chips()

    def _pane_takes(self, key: str) -> bool:
        """Keys that are typed into the composer and mean the command's pane."""
        pane = self.pane
        if pane is None or pane.run is None:
            return False
        writing = pane.run.over and not self.console.composer.empty
        return (not writing or pane.meant_by(key) == "attach") and pane.takes(key)

    def stop(self) -> None:
        """End the one that runs."""
        if self.desk is not None and (found := self._runs.get(self.console.composer.writing)):
            self.console.ask(self.desk.engine.shell.stop(found[1]))

    def attach(self) -> None:
        """Offer what it said to the conversation."""
        if found := self._runs.get(self.console.composer.writing):
            self.forget()
            self.console.composer.attach_output(found[0].line, found[0].told())

    def forget(self) -> None:
        """Drop what it said."""
        writing = self.console.composer.writing
        self._runs.pop(writing, None)
        writing.command = ""
        self.console.composer.focus_input()
        self._show_run()
        if self.desk is not None:
            self.desk.edited(writing)

    def _show_run(self) -> None:
        if self.pane is not None:
            found = self._runs.get(self.console.composer.writing)
            self.pane.show(found[0] if found else None)
