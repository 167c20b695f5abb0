"""Pictures of what is around the conversation: nothing in them moves by itself."""

from __future__ import annotations

import pytest

from tui.transcript.rowsview import RowsView


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No clock goes, the folder is on no branch of this machine's, the scroll bar is exact."""
    monkeypatch.setattr(RowsView, "PREFETCH", False)
    monkeypatch.setattr("tui.inspector.git.branch_of", lambda _: "main")
    for module in ("tui.place", "tui.widgets.status_line"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: 0.0)
