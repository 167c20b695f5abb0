"""A real Codex on the scripted model, with a thread started."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from core.demo.scratch import Scratch
from tests.core.demo.codex import Codex, running_codex


@pytest.fixture
async def codex(codex_binary: Path, scratch: Scratch) -> AsyncGenerator[Codex]:
    async with running_codex(codex_binary, scratch) as running:
        yield running
