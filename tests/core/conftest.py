"""An engine on the real Codex and the scripted model, for the tests of what is built on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.demo.scratch import Scratch
from core.engine import Engine, open_engine
from core.settings import HostSettings, Settings
from tests.support.watcher import Watcher


@pytest.fixture
def settings(scratch: Scratch, codex_binary: Path, tmp_path: Path) -> Settings:
    """Settings with data and a Codex of the test's own."""
    return Settings(
        data_dir=tmp_path / "data", host=HostSettings(codex=codex_binary, codex_home=scratch.home)
    )


@pytest.fixture
async def engine(settings: Settings) -> AsyncIterator[Engine]:
    opened = await open_engine(settings)
    yield opened
    await opened.close()


@pytest.fixture
def watcher(engine: Engine) -> Watcher:
    return Watcher(engine)
