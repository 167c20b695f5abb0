from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from core.store.store import Store
from tests.core.store.helpers import add_conversations, open_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "quarterdeck.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncGenerator[Store]:
    """An open store with the conversations `c` and `d`."""
    async with open_store(path) as opened:
        await add_conversations(opened, "c", "d")
        yield opened
