from __future__ import annotations

from pathlib import Path

from core.store.store import Store
from tests.core.store.helpers import open_store


async def test_the_last_text_of_each_composer_is_kept(path: Path) -> None:
    async with open_store(path) as store:
        await store.drafts.save("c", "half")
        await store.drafts.save("/folder", "another")
        await store.drafts.save("c", "half a thought\n")
    async with open_store(path) as store:
        assert await store.drafts.load("c") == "half a thought\n"
        assert await store.drafts.all() == {"/folder": "another", "c": "half a thought\n"}


async def test_an_empty_composer_has_no_draft(store: Store) -> None:
    await store.drafts.save("c", "text")
    await store.drafts.save("c", "")
    assert await store.drafts.load("c") == ""
    assert await store.drafts.all() == {}
