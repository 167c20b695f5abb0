"""Pictures of what is around the conversation, at the sizes it is made for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from core.access.policy import SHIPPED
from core.agent.events import LimitWindow, PlanStep, RateLimits, Tokens
from core.conversation.choosing import Selected
from core.conversation.feed import DiffChanged, PlanChanged, UsageChanged
from tests.tui.around.host import BareApp
from tests.tui.conftest import FOLDER, ConsoleApp
from tests.tui.fake_engine import MODELS, FakeEngine
from tests.tui.host import settled, until
from tests.tui.transcript.gallery import gallery
from tui.inspector.facts import Facts
from tui.inspector.following import Seen
from tui.inspector.git import Tree, TreeFile
from tui.inspector.inspector import Inspector
from tui.launch import Launch
from tui.screens.pick import PickScreen
from tui.screens.settings import SettingsScreen
from tui.screens.switches import TITLES, picks_of
from tui.theme import load_themes
from tui.transcript.document import Document
from tui.transcript.view import TranscriptView

SIZES = ((60, 20), (80, 24), (120, 40))
NOW = Selected("gpt-5", "medium", "autopilot", "workspace-write", "on-request", frozenset({"effort"}))

pytestmark = pytest.mark.usefixtures("still")


def size_name(size: tuple[int, int]) -> str:
    return "x".join(map(str, size))


@pytest.mark.parametrize("size", SIZES, ids=size_name)
@pytest.mark.parametrize("what", ["model", "sandbox"])
def test_a_switch_looks_as_it_did(
    snap_compare: Callable[..., bool], what: str, size: tuple[int, int]
) -> None:
    app = BareApp(lambda: PickScreen(TITLES[what], picks_of(what, NOW, MODELS, SHIPPED)))
    assert snap_compare(app, terminal_size=size)


DIFF = """diff --git a/pier/boats.py b/pier/boats.py
--- a/pier/boats.py
+++ b/pier/boats.py
@@ -1,2 +1,2 @@
 import sea
-boats = 3
+boats = 4
diff --git a/pier/lamp.py b/pier/lamp.py
new file mode 100644
--- /dev/null
+++ b/pier/lamp.py
@@ -0,0 +1,2 @@
+import light
+light.on()
"""
FILES = (
    TreeFile("pier/boats.py", 1, 1),
    TreeFile("docs/a very long name of a picture of the pier in the evening.png", None, None),
    TreeFile("pier/lamp.py", None, None, tracked=False),
)
STEPS = (
    PlanStep("Look at the pier", "completed"),
    PlanStep("Count the boats, the ones that are out at sea too, and write down their names", "inProgress"),
    PlanStep("Greet every boat", "pending"),
)
EMPTY = Facts(Path("/home/dev/harbour"), seen=Seen())
FULL = Facts(
    Path("/home/dev/harbour"),
    PlanChanged("c", "The pier first, as the boats lie there.", STEPS),
    DiffChanged("c", DIFF),
    UsageChanged("c", 52_000, 41_000, 258_000, Tokens(50_000, 8_000, 2_000, 500)),
    RateLimits((LimitWindow(34, 300, 7_500), LimitWindow(91, 10_080, 262_800)), "plus"),
    NOW,
    Seen(Tree(Path("/home/dev/harbour"), FILES, 7, ()), watched=False),
)


@pytest.mark.parametrize("size", [(46, 24), (60, 20)], ids=size_name)
@pytest.mark.parametrize("section", ["plan", "changes", "usage"])
@pytest.mark.parametrize("facts", [EMPTY, FULL], ids=["empty", "full"])
def test_a_section_of_the_inspector_looks_as_it_did(
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
    facts: Facts,
    section: str,
    size: tuple[int, int],
) -> None:
    monkeypatch.setattr("tui.inspector.inspector.time", lambda: 0.0)
    monkeypatch.setenv("TZ", "UTC")

    async def before(pilot: Pilot[Any]) -> None:
        inspector = pilot.app.query_one(Inspector)
        inspector.styles.width = "1fr"
        inspector.go(section)
        inspector.show(facts, "main" if facts is FULL else "")
        inspector.body.focus()
        await pilot.pause()

    assert snap_compare(BareApp(Inspector), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_the_settings_look_as_they_did(
    snap_compare: Callable[..., bool], tmp_path: Path, size: tuple[int, int]
) -> None:
    engine = FakeEngine()
    engine.config = tmp_path / "config.toml"
    engine.config.write_text('theme = "quarterdeck-dark"\n[keys]\nnew = "f1"\n[away]\nnotify = "bell"\n')
    app = ConsoleApp(Launch(FOLDER), engine.opener)

    async def before(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.console_screen.configuring.settings is not None)
        await pilot.press("f8")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        app.screen.query_one("#settings-title", Static).update("Settings  ~/.config/quarterdeck/config.toml")
        options = app.screen.query_one(OptionList)
        await until(pilot, lambda: options.option_count)
        options.highlighted = options.get_option_index("theme")
        await settled(pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("theme", [theme.name for theme in load_themes()])
def test_each_theme_looks_as_it_did(snap_compare: Callable[..., bool], theme: str) -> None:
    app = BareApp(transcript, theme)
    assert snap_compare(app, terminal_size=(80, 40), run_before=filled)


def test_a_transcript_without_colour_looks_as_it_did(
    snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(BareApp(transcript), terminal_size=(80, 40), run_before=filled)


def test_a_list_without_colour_looks_as_it_did(
    snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = BareApp(lambda: PickScreen(TITLES["sandbox"], picks_of("sandbox", NOW, MODELS, SHIPPED)))
    assert snap_compare(app, terminal_size=(80, 24))


def transcript() -> TranscriptView:
    return TranscriptView()


async def filled(pilot: Pilot[Any]) -> None:
    """The first of every kind."""
    view = pilot.app.screen.query_one(TranscriptView)
    document = Document()
    document.add_boxes(gallery()[:9])
    view.show(document)
    view.scroll_home(animate=False)
    await pilot.pause()
