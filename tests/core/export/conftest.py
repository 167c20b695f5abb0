from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from core.store.store import Store
from tests.core.store.helpers import add_conversations, open_store


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Store]:
    """An open store with the conversations `c` and `d`, in the folder /somewhere."""
    async with open_store(tmp_path / "data" / "quarterdeck.sqlite3") as opened:
        await add_conversations(opened, "c", "d")
        yield opened
