"""A short quiet period, so that a test waits little for it; it is waited for all the same."""

from __future__ import annotations

import pytest

from tui.prompts import gate

SHORT = 0.1


@pytest.fixture
def short_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "QUIET", SHORT)
