"""An engine that cannot start leaves nothing behind."""

from __future__ import annotations

import asyncio

import pytest

from core.engine import Engine, open_engine
from core.errors import InvalidRequest, StoreError
from core.registry import Registry
from core.settings import Settings


@pytest.mark.parametrize("failure", [InvalidRequest("No such tool"), StoreError("The disk is gone")])
async def test_a_start_that_fails_half_way_ends_what_it_had_begun(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    before = asyncio.all_tasks()

    def refuse(*_: object) -> None:
        raise failure

    with monkeypatch.context() as patched:
        if isinstance(failure, InvalidRequest):
            patched.setattr(Registry, "offer", refuse)
        else:
            patched.setattr(Engine, "_watch", refuse)
        with pytest.raises(type(failure)):
            await open_engine(settings)
    left = {task.get_name() for task in asyncio.all_tasks() - before}
    assert left == set()
    engine = await open_engine(settings)
    await engine.close()
