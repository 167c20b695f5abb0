from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from core.errors import Conflict, NotFound
from core.knowledge.base import KnowledgeBase
from core.knowledge.documents import KnowledgeMode, KnowledgePolicy, Owner, OwnerKind, Visible
from core.knowledge.render import RenderedPrompt
from core.store.knowledge import FORGOTTEN_AT_ONCE
from core.store.store import Store
from tests.core.knowledge.conftest import AGENT, CONVERSATION, PATIENCE_S, SEEN, WORKSPACE, Changes

ROOT = Path(__file__).parents[3]
MATCHING = KnowledgePolicy(KnowledgeMode.MATCHING)


async def test_the_nearest_owners_document_is_read(base: KnowledgeBase) -> None:
    await base.write(AGENT, "n", "of all")
    assert (await base.read(SEEN.owners, "n")).text == "of all"
    await base.write(CONVERSATION, "n", "of this one")
    assert (await base.read(SEEN.owners, "n")).text == "of this one"
    await base.delete(CONVERSATION, "n")
    assert (await base.read(SEEN.owners, "n")).text == "of all"
    with pytest.raises(NotFound):
        await base.read(SEEN.owners, "m")


async def test_every_change_is_told(base: KnowledgeBase, changes: Changes) -> None:
    for change in (
        lambda: base.write(AGENT, "n", "text"),
        lambda: base.pin(AGENT, "n", True),
        lambda: base.delete(AGENT, "n"),
        lambda: base.forget(AGENT),
    ):
        assert not changes.told
        await change()
        assert changes.told
        changes.told = False


async def test_a_prompt_gets_what_is_pinned_and_what_matches_of_what_it_sees(base: KnowledgeBase) -> None:
    await base.write(AGENT, "style", "Short sentences.", pinned=True)
    await base.write(WORKSPACE, "pump", "The bilge pump is in the stern.")
    await base.write(WORKSPACE, "anchor", "The anchor is in the bow.")
    await base.write(Owner(OwnerKind.CONVERSATION, "other"), "secret", "Another pump.", pinned=True)
    text = "Where should I look for the pump?"
    rendered = await base.render_prompt(SEEN, MATCHING, text)
    assert [entry.info.name for entry in rendered.inserted] == ["style", "pump"]
    assert "stern" in rendered.text and rendered.text.endswith(text)
    rendered = await base.render_prompt(SEEN, KnowledgePolicy(KnowledgeMode.PINNED), text)
    assert [entry.info.name for entry in rendered.inserted] == ["style"]
    off = await base.render_prompt(SEEN, KnowledgePolicy(KnowledgeMode.OFF), text)
    assert off == RenderedPrompt(text)


@pytest.mark.parametrize("text", ["", "the and of", '"" OR (NEAR *', "🌊", "x" * 100_000, "\x00\ud800"])
async def test_any_prompt_can_be_rendered(base: KnowledgeBase, text: str) -> None:
    await base.write(AGENT, "n", "the and of")
    assert await base.render_prompt(SEEN, MATCHING, text) == RenderedPrompt(text)


async def test_a_forgotten_owner_takes_its_documents_and_no_others(base: KnowledgeBase) -> None:
    await base.write(CONVERSATION, "n", "text")
    await base.write(WORKSPACE, "n", "text")
    await base.forget(CONVERSATION)
    assert [info.owner for info in await base.listing(SEEN.owners)] == [WORKSPACE]
    await base.write(CONVERSATION, "n", "again")


async def test_what_is_being_forgotten_takes_nothing_in(base: KnowledgeBase) -> None:
    await base.begin_forget(CONVERSATION)
    with pytest.raises(Conflict, match="being forgotten"):
        await base.write(CONVERSATION, "n", "text")
    await base.settle_forget(CONVERSATION)
    await base.settle_forget(CONVERSATION)
    await base.write(CONVERSATION, "n", "text")


@pytest.mark.parametrize("steps", ["begun", "begun some", "begun some some", "begun some some all"])
async def test_a_forgetting_that_was_killed_between_two_steps_is_done_at_the_next_start(
    store: Store, steps: str
) -> None:
    base = KnowledgeBase(store.knowledge, store.imports)
    for number in range(2 * FORGOTTEN_AT_ONCE + 1):
        await base.write(CONVERSATION, f"n{number}", "text")
    await base.write(WORKSPACE, "kept", "text")
    path = store.database.path
    await store.close()
    await kill_after(path, steps.split())

    again = await Store.open(path)
    base = KnowledgeBase(again.knowledge, again.imports)
    assert [info.name for info in await base.listing(SEEN.owners)] == ["kept"]
    base.start()
    await asyncio.wait_for(base.settled(), PATIENCE_S)
    assert await again.knowledge.forgets() == []
    count = "SELECT count(*) FROM documents"
    assert await again.database.read(lambda connection: connection.execute(count).fetchone()[0]) == 1
    await base.write(CONVERSATION, "n0", "a new one")
    await base.close()
    await again.close()


async def kill_after(path: Path, steps: list[str]) -> None:
    """Have another process forget, and kill it when it has said the last of the steps."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.core.knowledge.child",
        str(path),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdin is not None and child.stdout is not None
    try:
        for number, expected in enumerate(steps):
            if number:
                child.stdin.write(b"go on\n")
            assert (await asyncio.wait_for(child.stdout.readline(), PATIENCE_S)).decode().strip() == expected
    finally:
        child.kill()
        await child.wait()


async def test_forgetting_that_fails_at_the_start_stops_nothing(store: Store) -> None:
    base = KnowledgeBase(store.knowledge, store.imports)
    await base.begin_forget(CONVERSATION)
    await store.close()
    base.start()
    await asyncio.wait_for(base.settled(), PATIENCE_S)
    await base.close()


async def test_an_end_in_the_middle_leaves_no_task(store: Store, tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    base = KnowledgeBase(store.knowledge, store.imports)
    (tmp_path / "docs").mkdir()
    await base.import_path(WORKSPACE, tmp_path / "docs")
    base.start()
    await asyncio.sleep(0)
    await base.close()
    assert asyncio.all_tasks() == before


def test_owners_are_seen_from_the_nearest_on() -> None:
    assert [owner.kind for owner in Visible.to("c", "w").owners] == ["conversation", "workspace", "agent"]
