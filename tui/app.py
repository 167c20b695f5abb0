"""The application: styles, themes and the first screen. No logic."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import Monochrome, NoColor

from tui.launch import Launch
from tui.screens.console import ConsoleScreen
from tui.screens.engine_screen import Opener
from tui.screens.palette import ActionProvider, ConversationProvider, Palette
from tui.theme import DEFAULT, PLAIN, STYLES, load_themes
from tui.widgets.terminal_keys import teach_terminal_keys

SHEETS = (
    "app",
    "console",
    "composer",
    "sessions",
    "prompts",
    "inbox",
    "transcript",
    "help",
    "pick",
    "inspector",
    "settings",
    "ledger",
    "rules",
    "browser",
    "operations",
    "composing",
)


class QuarterdeckApp(App[str]):
    """Its result is what to say on the normal screen afterwards."""

    TITLE = "Quarterdeck"
    CSS_PATH: ClassVar = [STYLES / f"{name}.tcss" for name in SHEETS]
    COMMANDS: ClassVar = {ActionProvider, ConversationProvider}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "help_quit", show=False, system=True),
    ]

    def __init__(self, launch: Launch, opener: Opener | None = None) -> None:
        teach_terminal_keys()
        super().__init__()
        self.keys: dict[str, str] = {}
        """A person's own keys by the names of the actions, for those who show keys."""
        self._launch = launch
        self._opener = opener
        for theme in load_themes():
            self.register_theme(theme)
        self.use_theme(DEFAULT)

    def use_theme(self, name: str) -> bool:
        """Put a theme on. False where there is none of that name.

        Under NO_COLOR it is the terminal's own, with every colour taken out (https://no-color.org).
        """
        if name not in self.available_themes:
            return False
        if self.no_color:
            name = PLAIN
            self._filters[:] = [NoColor() if isinstance(one, Monochrome) else one for one in self._filters]
        if name != self.theme:
            self.theme = name
        return True

    def use_keys(self, keys: dict[str, str]) -> None:
        """Other keys from now on, by the names of the actions."""
        self.keys = keys
        self.set_keymap(keys)

    def write_terminal(self, sequence: str) -> None:
        """Send a control sequence of ours to the terminal."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)
            self._driver.flush()

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.MouseDown) and isinstance(
            console := self.screen_stack[0], ConsoleScreen
        ):
            console.away.pressed()
        await super().on_event(event)

    def refresh_css(self, animate: bool = True) -> None:
        """Textual asks for this once before there is a screen, parses everything aside, and again for the first one."""
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def read_styles(self) -> str:
        """Read the style sheets again. What is wrong with them, and where; "" for nothing: then they hold."""
        from textual.css.errors import StylesheetError
        from textual.css.tokenizer import TokenError

        sheet = self.stylesheet.copy()
        try:
            sheet.read_all(self.css_path)
            sheet.parse()
        except (StylesheetError, TokenError) as error:
            return f"The styles stay as they were: {' '.join(str(error).split())}"
        self.stylesheet = sheet
        sheet.update(self)
        for screen in self.screen_stack:
            sheet.update(screen)
            screen.refresh(layout=True)
        return ""

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette())

    async def action_quit(self) -> None:
        """From every screen: the console lets go of the engine first."""
        await self.screen_stack[0].run_action("quit")

    def action_help_quit(self) -> None:
        """Ctrl+C copies; who wants to quit with it is told how."""
        console = self.screen_stack[0]
        if isinstance(console, ConsoleScreen):
            running = console.desk is not None and console.desk.current.running
            stop = f"{console.key_name('back')} interrupts the turn. " if running else ""
            console.notices.tell(
                f"{stop}{console.key_name('quit')} quits. Nothing that runs is stopped by it."
            )

    def _fatal_error(self) -> None:
        """A failure of the console's own: one sentence, the trace in a file."""
        from tui.crash import note_crash

        if self._exception is not None:
            self._exit_renderables[:] = [Text(note_crash(self._exception))]
        self._close_messages_no_wait()

    def get_default_screen(self) -> ConsoleScreen:
        return ConsoleScreen(self._launch, self._opener)
