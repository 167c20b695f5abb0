"""Whatever names a key on the screen names the one that is in force."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from textual.widgets import Static

from core.settings import Settings
from tests.tui import examples
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import press, until
from tests.tui.ledger.fake import FakeLedger, some
from tui.launch import Launch
from tui.screens.help import HelpScreen
from tui.screens.palette_entries import Entry
from tui.widgets.key_bar import KeyBar

ROOT = Path(__file__).parents[3]
SHIPPED = re.compile(r"\bF[1-9]\b|\b(?:Ctrl|Alt)\+\S")
MAY = {
    "tui/widgets/composer_hint.py": "it puts the person's own in their place",
    "tui/widgets/key_names.py": "it names them",
}


def _texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """String constants that are no docstrings."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.lineno, node.value


def test_no_text_names_a_key_that_a_person_may_have_changed() -> None:
    named = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for folder in ("tui", "core")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in MAY
        for line, text in _texts(ast.parse(path.read_text()))
        if SHIPPED.search(text)
    ]
    assert named == []


async def test_prompts_and_what_was_put_off_name_ones_own_key(
    console: OpenConsole, engine: FakeEngine
) -> None:
    conversation = engine.add(FOLDER, "boats")
    engine.ask(examples.notified(examples.COMMAND, 7, conversation_id=conversation.id))
    engine.settings = Settings(keys={"answer": "f9"})
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await until(pilot, lambda: screen.prompts and screen.prompts.prompt)
        assert screen.prompts is not None and screen.prompts.prompt is not None
        assert "F9 or click to answer" in str(screen.prompts.prompt.border_subtitle)
        engine.snooze(7)
        note = screen.prompts.query_one(".put-off", Static)
        await until(pilot, lambda: "F9 brings it back" in str(note.render()))
        await press(pilot, "f9")
        await until(pilot, lambda: screen.prompts and screen.prompts.prompt and screen.prompts.prompt.entered)


async def test_the_palette_and_help_name_ones_own_keys(console: OpenConsole, engine: FakeEngine) -> None:
    engine.settings = Settings(keys={"ledger": "f9", "ledger_export": "ctrl+e"})
    async with console(size=(120, 40)) as (screen, pilot):
        entries: list[Entry] = screen.palette_entries()
        assert {entry.key for entry in entries if entry.action == "over('ledger')"} == {"F9"}
        await press(pilot, "f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        text = "\n".join(str(one.render()) for one in pilot.app.screen.query(Static))
        assert "In the ledger (F9)" in text
        assert re.search(r"Ctrl\+E +Write to a file", text)


async def test_a_key_of_ones_own_works_on_the_screen_over_the_console_and_its_bar_shows_it(
    console: OpenConsole, engine: FakeEngine
) -> None:
    engine.settings = Settings(keys={"ledger": "f9", "ledger_export": "ctrl+e", "dialog_close": "f10"})
    engine.ledger = FakeLedger(some())  # type: ignore[attr-defined]
    async with console() as (screen, pilot):
        await press(pilot, "f9")
        await until(pilot, lambda: pilot.app.screen is not screen)
        ledger = pilot.app.screen
        await until(pilot, lambda: "^E Write to a file" in str(ledger.query_one(KeyBar).render()))
        await press(pilot, "ctrl+s")
        assert pilot.app.screen is ledger
        await press(pilot, "ctrl+e")
        await until(pilot, lambda: pilot.app.screen is not ledger)
        assert "F10 Back" in str(pilot.app.screen.query_one(KeyBar).render())
        await press(pilot, "f10", "f9")
        await until(pilot, lambda: pilot.app.screen is screen)


async def test_help_on_a_screen_begins_with_its_own_keys(console: OpenConsole, engine: FakeEngine) -> None:
    async with console() as (_, pilot):
        await press(pilot, "f2", "f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        assert str(pilot.app.screen.query(Static).first().render()).startswith("In the inbox (F2)")
