"""Every setting, edited where it is shown, and written into config.toml."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from core.errors import QuarterdeckError, SettingsError
from core.settings import Settings, parse_settings, read_text
from core.settings_about import Holds, Kind, parsed_value
from core.settings_file import write_setting
from tui.keymap import parse_keys
from tui.screens.opening import OverScreen
from tui.screens.pick import Pick, PickScreen
from tui.screens.settings_rows import Row, rows_of
from tui.screens.themes import theme_picks
from tui.transcript import cells, safe
from tui.widgets.key_bar import KeyBar
from tui.widgets.notices import error_words
from tui.widgets.status_text import home_short
from tui.widgets.text_line import TextLine

if TYPE_CHECKING:
    from core.engine import Engine
    from tui.screens.console import ConsoleScreen

NO_FILE = "Settings are kept in a file, and this console was started without one."


class SettingsScreen(OverScreen):
    """Closed with Escape; what was changed is written already."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Close"),
        Binding("f8", "leave", "Close", show=False, id="settings"),
        Binding("d,delete", "default", "Back to the default"),
    ]
    PART = "settings"

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._rows: list[Row] = []
        self._problem = ""
        self._list = OptionList(compact=True, id="settings-list")
        self._about = Static(markup=False, id="settings-about")
        self._input = TextLine(compact=True, id="settings-input")
        self._editing: Row | None = None

    def compose(self) -> ComposeResult:
        yield Static(self._title(), markup=False, id="settings-title")
        yield self._list
        yield self._about
        yield self._input
        yield KeyBar(
            urgent=("select", "submit"), last=("help", "leave"), always="leave", widget_id="settings-keys"
        )

    def on_mount(self) -> None:
        self._input.display = False
        self.run_worker(self._begin(), group="read")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what the file sets goes back to the default."""
        del parameters
        row = self._marked()
        return self._editing is None and row is not None and bool(row.line) if action == "default" else True

    def key_words(self, action: str) -> str | None:
        match action:
            case "leave" if self._editing is not None:
                return "Leave it as it was"
            case "submit":
                return "Write it"
            case "select":
                return "Change" if self._marked() is not None else ""
            case _:
                return None

    async def _begin(self) -> None:
        await self._read()
        self._list.focus()

    @property
    def console(self) -> ConsoleScreen:
        return cast("ConsoleScreen", self.app.screen_stack[0])

    @property
    def _path(self) -> Path | None:
        return self.console.session.config if self.console.session is not None else None

    def _title(self) -> Content:
        where = home_short(str(self._path), str(Path.home())) if self._path is not None else NO_FILE
        return Content.assemble(("Settings  ", "bold $primary"), (safe.line(where), "$foreground 60%"))

    # Showing.

    async def _read(self) -> None:
        """Read the file again, and show what it says; what is wrong with it is said, and the last good shown."""
        from tui.screens.keys import actions  # It knows every screen, this one too.

        path = self._path
        settings, text = self.console.configuring.settings or Settings(), ""
        try:
            if path is not None:
                text = await asyncio.to_thread(read_text, path) or ""
                settings = parse_settings(text, path)
                self._problem = ""
        except SettingsError as error:
            text, self._problem = "", error_words(error)
        self._rows = rows_of(text, settings, actions(), self.console.quarterdeck.keys)
        self._fill()

    def _fill(self) -> None:
        marked, scroll = self._list.highlighted, self._list.scroll_y
        width = max(cells.width_of(row.about.name) for row in self._rows)
        options: list[Option] = []
        group = ""
        for row in self._rows:
            if row.group != group:
                group = row.group
                options.append(Option(Content.styled(group, "bold $primary"), disabled=True))
            options.append(Option(_line(row, width), id=row.about.name))
        self._list.clear_options()
        self._list.add_options(options)
        self._list.highlighted = marked if marked is not None else 1
        self._list.scroll_to(y=scroll, animate=False)
        self._say()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._say()

    def _marked(self) -> Row | None:
        option = self._list.highlighted_option
        return next((row for row in self._rows if option is not None and row.about.name == option.id), None)

    def _say(self) -> None:
        """What the marked setting is about, and what is wrong."""
        row = self._editing or self._marked()
        lines: list[Content] = []
        if row is not None:
            about = row.about
            lines.append(Content(about.words))
            default = f"Default: {about.default or 'not set'}"
            choices = f" · {', '.join(about.choices)}" if about.kind is Kind.CHOICE else ""
            lines.append(
                Content.styled(
                    f"{default}{choices} · from {row.origin} · holds {about.holds}", "$foreground 60%"
                )
            )
        self.refresh_bindings()
        problems = [self._problem, *self.console.configuring.key_problems]
        lines += [Content.styled(safe.line(problem), "$warning") for problem in problems if problem]
        self._about.update(Content("\n").join(lines))

    # Changing.

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        row = self._marked()
        if row is None:
            return
        if row.about.kind is Kind.SWITCH:
            self._write(row, "false" if row.value == "true" else "true")
        elif row.about.kind is Kind.CHOICE or row.about.keys in (("theme",), ("defaults", "profile")):
            self.run_worker(self._pick(row), group="pick", exclusive=True)
        else:
            self._edit(row)

    async def _pick(self, row: Row) -> None:
        app = self.console.quarterdeck
        if row.about.keys == ("theme",):
            before = app.theme
            picks = theme_picks(app.available_themes, row.value)
            value = await app.push_screen_wait(PickScreen(row.about.name, picks, marked=app.use_theme))
            if value is None:
                app.use_theme(before)
        else:
            names = row.about.choices or tuple(profile.id for profile in self.engine.switches.profiles())
            picks = [Pick(name, name, current=name == row.value) for name in names]
            value = await app.push_screen_wait(PickScreen(row.about.name, picks))
        if value is not None:
            self._write(row, value)

    def _edit(self, row: Row) -> None:
        self._editing = row
        self._input.display = True
        self._input.value = row.value
        self._input.password = row.about.name == "host.token"
        self._input.placeholder = "nothing: the default holds"
        self._input.cursor_position = len(row.value)
        self._list.disabled = True
        self._input.focus()
        self.refresh_bindings()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._editing is not None:
            self._write(self._editing, event.value)

    def action_leave(self) -> None:
        if self._editing is not None:
            self._problem = ""
            self._stop_editing()
        else:
            self.dismiss(None)

    def _stop_editing(self) -> None:
        self._editing = None
        self._input.display = False
        self._list.disabled = False
        self._list.focus()
        self._say()

    def action_default(self) -> None:
        """Take the setting out of the file."""
        row = self._marked()
        if row is not None and row.line and self._editing is None:
            self._write(row, None)

    def _write(self, row: Row, text: str | None) -> None:
        self.run_worker(self._written(row, text), group="write", exclusive=True)

    async def _written(self, row: Row, text: str | None) -> None:
        """Check it, write it, have it hold. What is wrong with it is said, and it can be mended at once."""
        try:
            settings = await self._save(row, text)
        except (QuarterdeckError, ValueError) as error:
            foreseen = isinstance(error, QuarterdeckError)
            self._problem = error_words(error) if foreseen else f"{text} is no value for {row.about.name}."
            self._say()
            return
        self._problem = ""
        self.console.configuring.apply(settings)
        self.console.configuring.watch_again()
        self._stop_editing()
        await self._read()
        if row.about.holds is Holds.NEXT_START:
            self._problem = f"{row.about.name} holds {row.about.holds}."
            self._say()

    async def _save(self, row: Row, text: str | None) -> Settings:
        """Raises SettingsError, ValueError."""
        from tui.screens.keys import PLACES  # It knows every screen, this one too.

        if self._path is None:
            raise SettingsError("Nothing was written", why=NO_FILE)
        value = None if text is None else parsed_value(row.about, text)
        if row.about.keys[0] == "keys" and value is not None:
            name = row.about.keys[1]
            before = (
                self.console.configuring.settings.keys
                if self.console.configuring.settings is not None
                else {}
            )
            _, problems = parse_keys({**before, name: str(value)}, PLACES)
            for problem in problems:
                if problem.name == name:
                    raise SettingsError(f"{name} keeps its keys", why=problem.why, todo="Choose another key.")
        return await asyncio.to_thread(write_setting, self._path, row.about.keys, value)


def _line(row: Row, width: int) -> Content:
    name = row.about.name + " " * (width - cells.width_of(row.about.name))
    looks = "bold" if row.line else "$foreground 60%"
    return Content.assemble(
        ("• " if row.line else "  ", "$accent"), name, (f"  {safe.line(row.shown)}", looks)
    )
