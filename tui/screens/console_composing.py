"""Writing on the console: what was said before, the editor, commands in the sandbox."""

from __future__ import annotations

import asyncio
import signal
from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from core.errors import QuarterdeckError
from tui.screens.console_operations import ConsoleOperations
from tui.screens.opening import SCREENS
from tui.widgets.composer import Composer
from tui.widgets.writing import Writing

if TYPE_CHECKING:
    from core.agent.lookups import CommandOutput, ShellCommand
    from tui.composing.command_pane import CommandPane
    from tui.composing.command_run import CommandRun
    from tui.place import Place


class ConsoleComposing(ConsoleOperations):
    """Owns the commands that run; each ends with the console, or at a word of the person's."""

    command_pane: CommandPane | None = None
    """Made when a command is first run."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._runs: WeakKeyDictionary[Writing, tuple[CommandRun, ShellCommand]] = WeakKeyDictionary()
        self.composer.also_takes = self._pane_takes

    def opened(self) -> None:
        from tui.composing.sources import EngineSources

        super().opened()
        desk = self.desk
        assert desk is not None
        self.composer.use(EngineSources(desk.engine, lambda: desk.current.path))

    def show_place(self) -> None:
        super().show_place()
        self._show_run()

    def on_composer_told(self, event: Composer.Told) -> None:
        self.notices.tell(event.text, topic="composer")

    # What was said before.

    def action_recall(self) -> None:
        """Find what was said before, beginning with what is written; with nothing written, find sessions."""
        if self.composer.empty and "sessions" in SCREENS:
            self.action_over("sessions")
        else:
            self.action_history()

    def action_history(self) -> None:
        """Find what was said before."""
        from tui.composing.history import HistoryScreen

        if self.desk is not None:
            place = self.desk.current
            screen = HistoryScreen(self.desk.engine, place.path, self.composer.first_words())
            self.app.push_screen(screen, lambda text: self._say_again(place, text))

    def _say_again(self, place: Place, text: str | None) -> None:
        if text is not None and self.desk is not None and place is self.desk.current:
            self.composer.replace(text)
            self.composer.focus_input()

    # The editor.

    def action_edit(self) -> None:
        """Write the message in $VISUAL or $EDITOR."""
        self.run_worker(self._edit(), group="edit", exclusive=True)

    async def _edit(self) -> None:
        from tui.composing.editor import edited

        writing, text = self.composer.writing, self.composer.input.text
        loop = asyncio.get_running_loop()
        # Ctrl+C in the editor reaches every process of the terminal.
        loop.add_signal_handler(signal.SIGINT, lambda: None)
        try:
            changed = await edited(self.app, text)
        except QuarterdeckError as error:
            self.tell_error(error)
            return
        finally:
            loop.add_signal_handler(signal.SIGINT, self.action_quit)
        if writing is self.composer.writing and changed != text:
            self.composer.replace(changed)
        self.composer.focus_input()

    def action_quit(self) -> None:
        raise NotImplementedError

    def action_over(self, name: str) -> None:
        raise NotImplementedError

    # Commands in the sandbox.

    async def on_composer_shell_asked(self, event: Composer.ShellAsked) -> None:
        from tui.composing.command_pane import CommandPane
        from tui.composing.command_run import CommandRun

        self.notices.forget("composer")
        running = self._runs.get(event.writing)
        if self.desk is None or (running is not None and not running[0].over):
            why = "Codex is not there yet" if self.desk is None else "A command still runs: Esc stops it"
            self.notices.tell(why, topic="composer")
            self.composer.give_back(event.writing, f"!{event.line}")
            return
        if self.command_pane is None:
            self.command_pane = CommandPane()
            await self.query_one("#main").mount(self.command_pane, before=self.composer)
        place = self.desk.place_of(event.writing)
        sandbox = place.selected.sandbox if place.selected is not None else ""
        run = CommandRun(event.line, monotonic())
        command = self.desk.engine.shell.command(event.line, place.path, sandbox)
        self._runs[event.writing] = run, command
        event.writing.command = event.line
        self.desk.edited(event.writing)
        self._show_run()
        if self.composer.empty and event.writing is self.composer.writing:
            self.command_pane.focus()
        self.run_worker(self._run(run, command), group="commands")

    async def _run(self, run: CommandRun, command: ShellCommand) -> None:
        assert self.desk is not None

        def heard(output: CommandOutput) -> None:
            run.add(output.text)
            run.cut = run.cut or output.cut

        try:
            run.code = await self.desk.engine.shell.run(command, heard)
        except QuarterdeckError as error:
            run.problem = str(error)
        if self.command_pane is not None and self.command_pane.run is run:
            self.command_pane.draw()

    def _pane_takes(self, key: str) -> bool:
        """Keys that are typed into the composer and mean the command's pane."""
        pane = self.command_pane
        if pane is None or pane.run is None:
            return False
        return not (pane.run.over and not self.composer.empty) and pane.takes(key)

    def on_command_pane_stopped(self) -> None:
        if self.desk is not None and (found := self._runs.get(self.composer.writing)):
            self.ask(self.desk.engine.shell.stop(found[1]))

    def on_command_pane_attached(self) -> None:
        if found := self._runs.get(self.composer.writing):
            self._forget_run()
            self.composer.attach_output(found[0].line, found[0].told())

    def on_command_pane_dropped(self) -> None:
        self._forget_run()

    def on_command_pane_typed(self, event: CommandPane.Typed) -> None:
        self.composer.focus_input()
        self.composer.input.post_message(event.key)

    def _forget_run(self) -> None:
        writing = self.composer.writing
        self._runs.pop(writing, None)
        writing.command = ""
        self.composer.focus_input()
        self._show_run()
        if self.desk is not None:
            self.desk.edited(writing)

    def _show_run(self) -> None:
        if self.command_pane is not None:
            found = self._runs.get(self.composer.writing)
            self.command_pane.show(found[0] if found else None)
