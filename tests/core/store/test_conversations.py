from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.errors import Conflict, NotFound
from core.rows import ConversationRow, ForkDraft, Lifecycle, WorkspaceRow
from core.store.store import Store
from tests.core.store.helpers import WORKSPACE, add_conversations, boxes, open_store


async def test_a_workspace_starts_at_revision_one_and_counts_its_changes(store: Store) -> None:
    made = await store.workspaces.create("w2", "/projects/deck", defaults='{"model":"m"}')
    assert made == WorkspaceRow("w2", "/projects/deck", 1, '{"model":"m"}', "{}")
    changed = await store.workspaces.change("w2", 1, defaults="{}", policy='{"sandbox":"read-only"}')
    assert changed == WorkspaceRow("w2", "/projects/deck", 2, "{}", '{"sandbox":"read-only"}')
    assert await store.workspaces.get("w2") == await store.workspaces.find("/projects/deck") == changed
    assert [row.id for row in await store.workspaces.all()] == ["w2", WORKSPACE]


async def test_of_two_changes_of_one_revision_one_succeeds(store: Store) -> None:
    results = await asyncio.gather(
        *(store.workspaces.change(WORKSPACE, 1, defaults=f'{{"n":{n}}}', policy="{}") for n in range(2)),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [WorkspaceRow, Conflict]
    assert "revision 2, not 1" in str(results[1])
    assert (await store.workspaces.get(WORKSPACE)).defaults == '{"n":0}'


async def test_a_folder_has_one_workspace(store: Store) -> None:
    with pytest.raises(Conflict):
        await store.workspaces.create("another", "/somewhere")
    assert await store.workspaces.find("/elsewhere") is None
    for missing in (
        store.workspaces.get("none"),
        store.workspaces.change("none", 1, defaults="{}", policy="{}"),
    ):
        with pytest.raises(NotFound):
            await missing


async def test_a_new_conversation_is_open_idle_and_unbound(path: Path) -> None:
    async with open_store(path, clock=lambda: 77) as store:
        await store.workspaces.create(WORKSPACE, "/somewhere")
        row = await store.conversations.create("c", WORKSPACE, 1, title="First", defaults='{"effort":"high"}')
        assert row == ConversationRow(
            "c",
            WORKSPACE,
            1,
            "First",
            77,
            77,
            1,
            None,
            False,
            '{"effort":"high"}',
            None,
            Lifecycle.OPEN,
            "idle",
        )
        assert await store.conversations.get("c") == row


async def test_a_change_sets_what_is_given_and_nothing_else(store: Store) -> None:
    before = await store.conversations.get("c")
    bound = await store.conversations.change("c", thread_id="t1", materialised=True)
    assert (bound.thread_id, bound.materialised, bound.title) == ("t1", True, before.title)
    closed = await store.conversations.change(
        "c", lifecycle=Lifecycle.CLOSED, selection="{}", last_state="stalled"
    )
    assert (closed.thread_id, closed.lifecycle, closed.selection) == ("t1", Lifecycle.CLOSED, "{}")
    assert closed.last_state == "stalled"
    assert await store.conversations.find_by_thread("t1") == closed
    assert await store.conversations.find_by_thread("t2") is None


async def test_a_thread_is_bound_to_one_conversation(store: Store) -> None:
    await store.conversations.change("c", thread_id="t1")
    with pytest.raises(Conflict, match="Another conversation"):
        await store.conversations.change("d", thread_id="t1")
    assert (await store.conversations.get("d")).thread_id is None


async def test_what_does_not_exist_is_said_not_to(store: Store) -> None:
    for missing in (
        store.conversations.get("none"),
        store.conversations.change("none", title="x"),
        store.conversations.create("e", "no workspace", 1),
    ):
        with pytest.raises(NotFound):
            await missing
    with pytest.raises(Conflict):
        await store.conversations.create("c", WORKSPACE, 1)
    with pytest.raises(TypeError):
        await store.conversations.change("c", **{"id = 'd' --": "x"})  # type: ignore[misc]


async def test_the_most_recent_come_first_page_by_page(store: Store) -> None:
    await store.workspaces.create("w2", "/elsewhere")
    await store.conversations.create("e", "w2", 1)
    await add_conversations(store, "f", "g")
    await store.records.append("c", 0, boxes([1]))
    await store.conversations.change("d", title="Renamed")
    assert [row.id for row in await store.conversations.recent()] == ["d", "c", "g", "f", "e"]
    assert [row.id for row in await store.conversations.recent(workspace_id=WORKSPACE)] == [
        "d",
        "c",
        "g",
        "f",
    ]
    first = await store.conversations.recent(limit=2)
    second = await store.conversations.recent(before_recency=first[-1].recency, limit=2)
    assert [row.id for row in [*first, *second]] == ["d", "c", "g", "f"]


async def test_an_append_dates_its_conversation(path: Path) -> None:
    times = iter([10, 20])
    async with open_store(path, clock=lambda: next(times)) as store:
        await add_conversations(store, "c")
        await store.records.append("c", 0, boxes([1]))
        row = await store.conversations.get("c")
        assert (row.created_at_ms, row.updated_at_ms) == (10, 20)


async def test_a_conversation_has_forks_as_long_as_one_of_them_or_of_theirs_is_not_closed(
    store: Store,
) -> None:
    for made, origin in (("copy", "c"), ("copy of the copy", "copy")):
        number = await store.operations.begin(origin, "fork", "{}")
        draft = ForkDraft(made, origin, made, f"thread of the {made}")
        await store.operations.end_fork(number, draft, boxes([1]))
    assert [await store.conversations.has_forks(name) for name in ("c", "copy", "copy of the copy", "d")] == [
        True,
        True,
        False,
        False,
    ]
    await store.conversations.change("copy", lifecycle=Lifecycle.CLOSED)
    assert await store.conversations.has_forks("c")
    await store.conversations.change("copy of the copy", lifecycle=Lifecycle.CLOSED)
    assert not await store.conversations.has_forks("c")
