"""The settings screen, and what takes effect as it is saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from core.settings import Settings, load_settings
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, settled, until
from tests.tui.transcript.gallery import gallery
from tui.launch import Launch
from tui.reload import read_files
from tui.screens.console import ConsoleScreen
from tui.screens.pick import PickScreen
from tui.screens.settings import SettingsScreen

TEXT = '# mine\ntheme = "quarterdeck-dark" # at night\n'


@pytest.fixture
def config(engine: FakeEngine, tmp_path: Path) -> Path:
    """A file of settings that the console has."""
    path = tmp_path / "config.toml"
    path.write_text(TEXT)
    engine.config = path
    return path


async def opened(pilot: Pilot[str]) -> SettingsScreen:
    await press(pilot, "f8")
    await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
    screen = pilot.app.screen
    assert isinstance(screen, SettingsScreen)
    await until(pilot, lambda: screen.query_one(OptionList).option_count)
    return screen


def mark(screen: SettingsScreen, name: str) -> None:
    options = screen.query_one(OptionList)
    options.highlighted = options.get_option_index(name)


def about(screen: SettingsScreen) -> str:
    return str(screen.query_one("#settings-about", Static).render())


async def test_each_setting_says_what_it_is_and_where_it_comes_from(
    console: OpenConsole, config: Path
) -> None:
    async with console(Launch(FOLDER)) as (_, pilot):
        screen = await opened(pilot)
        mark(screen, "theme")
        await until(pilot, lambda: "from line 2 of the file" in about(screen))
        mark(screen, "away.notify")
        await until(pilot, lambda: "from the default" in about(screen))
        assert "auto, osc9, osc777, bell, off" in about(screen)


async def test_a_value_is_typed_checked_and_written_with_the_rest_untouched(
    console: OpenConsole, config: Path, engine: FakeEngine
) -> None:
    async with console(Launch(FOLDER)) as (_, pilot):
        screen = await opened(pilot)
        mark(screen, "knowledge.budget_tokens")
        await press(pilot, "enter", *["backspace"] * 4, *"-5", "enter")
        await until(pilot, lambda: "greater than or equal to 0" in about(screen))
        assert config.read_text() == TEXT
        await press(pilot, "backspace", "backspace", *"900", "enter")
        await until(pilot, lambda: "budget_tokens = 900" in config.read_text())
        assert config.read_text() == TEXT + "\n[knowledge]\nbudget_tokens = 900\n"
        await until(pilot, lambda: "holds at the next start" in about(screen))
        mark(screen, "knowledge.budget_tokens")
        await press(pilot, "d")
        await until(pilot, lambda: "900" not in config.read_text())


async def test_a_switch_turns_at_once_and_a_choice_is_picked(
    console: OpenConsole, config: Path, engine: FakeEngine
) -> None:
    async with console(Launch(FOLDER)) as (_, pilot):
        screen = await opened(pilot)
        mark(screen, "away.title")
        await press(pilot, "enter")
        await until(pilot, lambda: load_settings(config).away.title is False)
        mark(screen, "defaults.profile")
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))
        await press(pilot, *"observer", "enter")
        await until(pilot, lambda: load_settings(config).defaults.profile == "observer")
        await until(pilot, lambda: engine.used and engine.used[-1].defaults.profile == "observer")


async def test_a_key_that_another_action_has_is_refused(console: OpenConsole, config: Path) -> None:
    async with console(Launch(FOLDER)) as (_, pilot):
        screen = await opened(pilot)
        mark(screen, "keys.new")
        await press(pilot, "enter", *["backspace"] * 6, *"f1", "enter")
        await until(pilot, lambda: "f1 is the key of help" in about(screen))
        assert config.read_text() == TEXT


async def test_what_is_saved_elsewhere_takes_effect_and_a_mistake_is_named_with_its_line(
    console: OpenConsole, config: Path
) -> None:
    async with console(Launch(FOLDER)) as (screen, pilot):
        await until(pilot, lambda: screen.configuring.settings is not None)
        config.write_text('theme = "quarterdeck-light"\n')
        await until(pilot, lambda: pilot.app.theme == "quarterdeck-light")
        config.write_text('theme = "quarterdeck-dark"\n[away]\nnotify = "shout"\n')
        await until(pilot, lambda: "line 3: away.notify" in str(screen.notices.render()))
        assert pilot.app.theme == "quarterdeck-light"
        config.write_text('theme = "quarterdeck-high-contrast"\n')
        await until(pilot, lambda: pilot.app.theme == "quarterdeck-high-contrast")
        assert "line 3" not in str(screen.notices.render())


async def test_a_theme_of_ones_own_is_there_as_it_is_saved_and_tried_before_it_is_taken(
    console: OpenConsole, config: Path
) -> None:
    themes = config.parent / "themes"
    themes.mkdir()
    async with console(Launch(FOLDER)) as (screen, pilot):
        await until(pilot, lambda: screen.configuring.settings is not None)
        (themes / "mine.toml").write_text('[lamp]\nprimary = "#ff0000"\n')
        await until(pilot, lambda: "lamp" in pilot.app.available_themes)
        screen.action_switch("theme")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))
        await press(pilot, *"lamp")
        await until(pilot, lambda: pilot.app.theme == "lamp")
        await press(pilot, "escape")
        assert pilot.app.theme == "quarterdeck-dark"
        screen.action_switch("theme")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))
        await press(pilot, *"lamp", "enter")
        await until(pilot, lambda: load_settings(config).theme == "lamp")
        assert config.read_text() == TEXT.replace("quarterdeck-dark", "lamp")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[a]\nprimary = "reddish"\n', "line 2: a.primary: reddish is no colour"),
        ('[a]\nprimary = "#fff"\nglow = "#fff"\n', "line 3: a.glow: there is no colour of this name"),
        ("[a]\ndark = true\n", "line 1: a: a theme needs at least the colour primary"),
        ("[A!]\n", "Expected"),
        ('["A!"]\n', "a theme's name is of small letters"),
        ("x = 1\n", "line 1: x: a theme is a table"),
    ],
)
def test_a_theme_that_cannot_be_is_named_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "themes").mkdir()
    (tmp_path / "themes" / "a.toml").write_text(text)
    (tmp_path / "themes" / "b.toml").write_text('[b]\nprimary = "#fff"\n')
    read = read_files(tmp_path / "config.toml", styles=False)
    assert why in str(read.errors[0])
    assert [theme.name for theme in read.themes] == ["b"]
    assert read.settings is not None


async def test_styles_that_are_wrong_stay_as_they_were(
    console: OpenConsole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = tmp_path / "wrong.tcss"
    async with console(Launch(FOLDER)) as (screen, pilot):
        assert isinstance(screen, ConsoleScreen)
        app = screen.quarterdeck
        before = app.stylesheet
        sheet.write_text("StatusLine { colour: red; }")
        monkeypatch.setattr(app, "css_path", [*app.css_path, sheet])
        assert "The styles stay as they were" in app.read_styles()
        assert app.stylesheet is before
        sheet.write_text("StatusLine { color: red; }")
        assert app.read_styles() == ""
        await settled(pilot)
        assert screen.query_one("StatusLine").styles.color.hex == "#FF0000"


async def test_under_no_color_not_one_cell_has_a_colour(
    console: OpenConsole, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    conversation = engine.add(FOLDER, "boats")
    conversation.boxes.extend(gallery()[:4])
    engine.settings = Settings(theme="quarterdeck-light")
    async with console(Launch(FOLDER, latest=True), size=(100, 40)) as (screen, pilot):
        await until(pilot, lambda: screen.transcript.display and len(screen.transcript.document or ()) > 1)
        await settled(pilot)
        strips = screen._compositor.render_strips()
        colours = {
            str(colour)
            for strip in strips
            for _, style, _ in strip
            if style is not None
            for colour in (style.color, style.bgcolor)
            if colour is not None and not colour.is_default
        }
        assert colours == set()
