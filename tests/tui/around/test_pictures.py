"""Pictures of what is around the conversation, at the sizes it is made for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from core.access.policy import SHIPPED
from core.agent.events import LimitWindow, PlanStep, RateLimits, Tokens
from core.conversation.choosing import Selected
from core.conversation.feed import DiffChanged, PlanChanged, UsageChanged
from tests.tui.around.host import BareApp
from tests.tui.fake_engine import MODELS
from tui.inspector.facts import Facts
from tui.inspector.following import Seen
from tui.inspector.git import Tree, TreeFile
from tui.inspector.inspector import Inspector
from tui.screens.pick import PickScreen
from tui.screens.switches import TITLES, picks_of

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
