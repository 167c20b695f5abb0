from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.access.judge import KeptRules
from core.access.patterns import CommandPattern, HostPattern, PathPattern, Pattern, ToolPattern
from core.access.policy import Verdict
from core.access.rules import Reach, RuleDraft, Scope
from core.errors import Conflict, InvalidRequest, InvalidState, NotFound
from core.store import rule_rows as kept
from core.store.store import Store
from tests.core.store.helpers import open_store

EVERYWHERE = Scope(Reach.EVERYWHERE)


def draft(pattern: Pattern | str, verdict: Verdict = Verdict.ALLOW, scope: Scope = EVERYWHERE) -> RuleDraft:
    parsed = CommandPattern.parse(pattern) if isinstance(pattern, str) else pattern
    return RuleDraft(verdict=verdict, pattern=parsed, scope=scope)


async def shown(store: Store) -> list[str]:
    return [str(rule) for rule in await store.rules.in_order()]


async def test_a_new_store_has_no_rules(store: Store) -> None:
    found = await store.rules.read()
    assert (found.revision, found.rules) == (1, ())


@pytest.mark.parametrize(
    "written",
    [
        draft("git log * 'a b' …"),
        draft("git log '*'", Verdict.DENY),
        draft(PathPattern("/home/dev/données"), Verdict.ASK, Scope(Reach.WORKSPACE, "/home/dev")),
        draft(HostPattern("*.example.com"), scope=Scope(Reach.CONVERSATION, "c")),
        RuleDraft(
            verdict=Verdict.DENY,
            pattern=ToolPattern("knowledge.write"),
            scope=EVERYWHERE,
            expires_at_ms=5_000,
            enabled=False,
            note="until Friday",
        ),
    ],
    ids=str,
)
async def test_a_rule_comes_back_as_it_was_written(store: Store, path: Path, written: RuleDraft) -> None:
    rule_id = await store.rules.add(written)
    async with open_store(path) as another:
        [rule] = await another.rules.in_order()
    assert rule.id == rule_id
    assert (rule.hits, rule.last_hit_ms) == (0, None)
    for name in ("verdict", "pattern", "scope", "expires_at_ms", "enabled", "note"):
        assert getattr(rule, name) == getattr(written, name)


async def test_a_new_rule_goes_behind_the_others(store: Store) -> None:
    for pattern in ("a", "b", "c"):
        await store.rules.add(draft(pattern))
    assert await shown(store) == ["allow a", "allow b", "allow c"]
    assert (await store.rules.read()).revision == 4


async def test_a_change_keeps_id_place_and_hits(store: Store) -> None:
    first = await store.rules.add(draft("a"))
    await store.rules.add(draft("b"))
    await store.rules.hit([first], 5)
    revision = await store.rules.change(first, 3, draft("c", Verdict.DENY))
    found = await store.rules.read()
    assert found.revision == revision == 4
    assert [str(rule) for rule in found.rules] == ["deny c", "allow b"]
    assert (found.rules[0].id, found.rules[0].hits) == (first, 1)


@pytest.mark.parametrize(
    ("place", "order"), [(0, "cabd"), (1, "acbd"), (2, "abcd"), (3, "abdc")], ids=lambda value: str(value)
)
async def test_a_rule_is_moved_to_its_place(store: Store, place: int, order: str) -> None:
    ids = {name: await store.rules.add(draft(name)) for name in "abcd"}
    await store.rules.move(ids["c"], 5, place)
    assert await shown(store) == [f"allow {name}" for name in order]


@pytest.mark.parametrize("place", [-1, 2])
async def test_a_place_that_is_not_there_is_refused_and_nothing_moves(store: Store, place: int) -> None:
    first = await store.rules.add(draft("a"))
    await store.rules.add(draft("b"))
    with pytest.raises(InvalidRequest, match="no place"):
        await store.rules.move(first, 3, place)
    assert await shown(store) == ["allow a", "allow b"]
    assert (await store.rules.read()).revision == 3


async def test_the_id_of_a_revoked_rule_is_never_used_again(store: Store) -> None:
    first = await store.rules.add(draft("a"))
    await store.rules.revoke(first, 2)
    assert await store.rules.in_order() == ()
    assert await store.rules.add(draft("b")) > first


CHANGES: list[Callable[[Store, int, int], object]] = [
    lambda store, rule_id, revision: store.rules.change(rule_id, revision, draft("other")),
    lambda store, rule_id, revision: store.rules.revoke(rule_id, revision),
    lambda store, rule_id, revision: store.rules.move(rule_id, revision, 0),
]


@pytest.mark.parametrize("change", CHANGES, ids=["change", "revoke", "move"])
async def test_a_console_that_has_not_seen_the_last_change_is_refused(
    store: Store, path: Path, change: Callable[..., object]
) -> None:
    first = await store.rules.add(draft("a"))
    seen = await store.rules.read()
    async with open_store(path) as another:
        await another.rules.add(draft("b"))
    with pytest.raises(Conflict, match="revision 3, not 2"):
        await change(store, first, seen.revision)  # type: ignore[misc]
    assert await shown(store) == ["allow a", "allow b"]


@pytest.mark.parametrize("change", CHANGES, ids=["change", "revoke", "move"])
async def test_a_rule_that_is_not_there_is_not_found(store: Store, change: Callable[..., object]) -> None:
    with pytest.raises(NotFound, match="no rule 7"):
        await change(store, 7, 1)  # type: ignore[misc]
    assert (await store.rules.read()).revision == 1


async def test_hits_count_and_are_no_change(store: Store) -> None:
    first, second = await store.rules.add(draft("a")), await store.rules.add(draft("b"))
    await store.rules.hit([first, second], 10)
    await store.rules.hit([first, 99], 30)
    await store.rules.hit([first], 20)
    found = await store.rules.read()
    assert [(rule.hits, rule.last_hit_ms) for rule in found.rules] == [(3, 30), (1, 10)]
    assert found.revision == 3


@pytest.mark.parametrize(
    "damage",
    [
        'pattern = \'{"words": [], "exact": true}\'',
        'pattern = \'{"words": [1], "exact": true}\'',
        "pattern = 'not json'",
        "pattern = '\"/etc\"'",
        "kind = 'path', pattern = '\"etc\"'",
        "kind = 'host', pattern = '\"*\"'",
    ],
)
async def test_a_rule_that_cannot_be_read_is_named_and_can_be_revoked(
    store: Store, path: Path, damage: str
) -> None:
    await store.rules.add(draft("a"))
    second = await store.rules.add(draft("b"))
    connection = sqlite3.connect(path)
    connection.execute(f"UPDATE rules SET {damage} WHERE id = {second}")
    connection.commit()
    connection.close()
    with pytest.raises(InvalidState, match=f"Rule {second} cannot be read"):
        await store.rules.in_order()
    await store.rules.revoke(second, 3)
    assert await shown(store) == ["allow a"]


@pytest.mark.parametrize(
    "damage",
    [
        "verdict = 'perhaps'",
        "reach = 'galaxy'",
        "reach_of = 'x'",
        "kind = 'mood'",
        "position = 1",
        "hits = -1",
    ],
)
async def test_the_table_refuses_what_is_no_rule(store: Store, path: Path, damage: str) -> None:
    await store.rules.add(draft("a"))
    await store.rules.add(draft("b"))
    connection = sqlite3.connect(path)
    try:
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(f"UPDATE rules SET {damage} WHERE id = 2")
    finally:
        connection.close()


async def test_it_is_what_the_judge_needs(store: Store) -> None:
    needed: KeptRules = store.rules
    assert await needed.in_order() == ()


@given(words=st.lists(st.none() | st.text(), max_size=3), first=st.text(min_size=1), exact=st.booleans())
def test_any_words_are_kept_exactly(words: list[str | None], first: str, exact: bool) -> None:
    pattern = CommandPattern((first, *words), exact)
    kind, text = kept.to_json(pattern)
    text.encode()
    assert kept.from_json(kind, text) == pattern
