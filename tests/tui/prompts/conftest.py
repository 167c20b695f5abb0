"""A short quiet period, so that a test waits little for it; it is waited for all the same. And a conversation to ask in."""

from __future__ import annotations

import pytest

from tests.tui.conftest import FOLDER
from tests.tui.fake_engine import FakeConversation, FakeEngine
from tui.prompts import gate

SHORT = 0.1


@pytest.fixture
def short_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "QUIET", SHORT)


@pytest.fixture
def boats(engine: FakeEngine) -> FakeConversation:
    return engine.add(FOLDER, "boats")
