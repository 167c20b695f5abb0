"""Documents: written, found, followed, forgotten."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import Conflict, InvalidRequest, NotFound
from core.knowledge.documents import DocumentDraft, FileText, Hit, Origin, Owner, OwnerKind, Visible, Written
from core.knowledge.query import any_word, every_word
from core.store.knowledge import FORGOTTEN_AT_ONCE
from core.store.store import Store
from tests.core.store.helpers import open_store

SEEN = Visible.to("c", "w")
CONVERSATION, WORKSPACE, AGENT = SEEN.owners
OTHER = Owner(OwnerKind.WORKSPACE, "other")


def draft(owner: Owner, name: str, text: str, title: str = "") -> DocumentDraft:
    return DocumentDraft.checked(owner, name, text, title=title)


def by_model(owner: Owner, name: str, text: str) -> DocumentDraft:
    return DocumentDraft.checked(owner, name, text, origin=Origin.MODEL)


async def found(store: Store, query: str, owners: tuple[Owner, ...] = SEEN.owners) -> list[str]:
    return [hit.info.name for hit in await store.knowledge.search(owners, every_word(query), 10)]


def marked(hit: Hit) -> list[str]:
    return [hit.snippet[start:end] for start, end in hit.marks]


async def test_a_document_is_kept_whole(path: Path) -> None:
    text = "# Tides\r\n\tHigh water at noon, ebb at six. 🌊\n"
    async with open_store(path) as store:
        info = await store.knowledge.put(draft(WORKSPACE, "tides", text))
        assert (info.title, info.characters, info.pinned) == ("Tides", len(text), False)
    async with open_store(path) as store:
        kept = await store.knowledge.get(WORKSPACE, "tides")
        assert kept.text == text and kept.info == info


async def test_writing_again_replaces_and_keeps_the_pin(store: Store) -> None:
    await store.knowledge.put(draft(AGENT, "n", "old words"))
    await store.knowledge.pin(AGENT, "n", True)
    info = await store.knowledge.put(draft(AGENT, "n", "new words"))
    assert info.pinned
    assert await found(store, "old") == [] and await found(store, "new") == ["n"]
    assert await store.knowledge.listing([AGENT], pinned=True) == [info]


async def test_what_is_deleted_is_no_longer_found(store: Store) -> None:
    await store.knowledge.put(draft(AGENT, "n", "words"))
    await store.knowledge.delete(AGENT, "n")
    assert await found(store, "words") == []
    for gone in (store.knowledge.delete(AGENT, "n"), store.knowledge.get(AGENT, "n")):
        with pytest.raises(NotFound):
            await gone


async def test_an_owner_sees_only_its_own(store: Store) -> None:
    for owner in (*SEEN.owners, OTHER):
        await store.knowledge.put(draft(owner, f"of {owner.kind}", "the same words"))
    assert await found(store, "words", (OTHER,)) == ["of workspace"]
    assert [info.owner for info in await store.knowledge.listing(SEEN.owners)] == list(SEEN.owners)
    assert await store.knowledge.search((), every_word("words"), 10) == []


@pytest.mark.parametrize(
    ("query", "hit"),
    [
        ("harbour", True),
        ("HARBOUR lisbon", True),
        ("harb", True),
        ("harb ", False),
        ("harb* ", True),
        ("h*", False),
        ("日*", True),
        ("harbour porto ", False),
        ('"harbour of lisbon"', True),
        ('"lisbon harbour"', False),
        ('"harbour of', True),
        ("sao", True),
        ("São", True),
        ("naïve", True),
        ("гавань", True),
        ("ГАВАНЬ", True),
        ("foo_bar", True),
        ("日本", True),
        ("don't", True),
    ],
)
async def test_words_phrases_and_beginnings_are_found_in_any_script(
    store: Store, query: str, hit: bool
) -> None:
    text = "The harbour of Lisbon. São Tomé is naive. Гавань. foo_bar() 日本語テキスト. Don't."
    await store.knowledge.put(draft(AGENT, "n", text))
    assert (await found(store, query) == ["n"]) is hit


async def test_titles_count_more_and_rarer_words_more(store: Store) -> None:
    await store.knowledge.put(draft(AGENT, "in the text", "We anchor here. " + "Nothing else. " * 20))
    await store.knowledge.put(draft(AGENT, "in the title", "Nothing. " * 20, title="Anchor"))
    for number in range(5):
        await store.knowledge.put(draft(AGENT, f"other {number}", "Nothing. " * 20))
    assert await found(store, "anchor") == ["in the title", "in the text"]
    hits = await store.knowledge.search(SEEN.owners, any_word("nothing but an anchor"), 10)
    assert [hit.info.name for hit in hits][:2] == ["in the title", "in the text"]


async def test_a_hit_shows_the_passage_and_marks_the_words_in_it(store: Store) -> None:
    await store.knowledge.put(draft(AGENT, "n", "before " * 500 + "the red buoy" + " after" * 500))
    (hit,) = await store.knowledge.search([AGENT], every_word("red buoy"), 10)
    assert "the red buoy" in hit.snippet and len(hit.snippet) < 500
    assert marked(hit) == ["red", "buoy"]


async def test_marks_cannot_be_forged(store: Store) -> None:
    await store.knowledge.put(draft(AGENT, "n", "\x02forged\x03 and \x02 true \x00\x1b[31m\ud800"))
    (hit,) = await store.knowledge.search([AGENT], every_word("true"), 10)
    assert marked(hit) == ["true"]
    assert hit.snippet == "�forged� and � true ��[31m�"


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    query=st.one_of(
        st.text(),
        st.lists(
            st.sampled_from(
                [
                    '"',
                    "*",
                    "(",
                    ")",
                    "NEAR(",
                    "AND",
                    "OR",
                    "NOT",
                    "title:",
                    "^",
                    "-",
                    "+",
                    "{",
                    "}",
                    "\x00",
                    "a",
                ]
            )
        ).map(" ".join),
        st.lists(st.sampled_from(['"', "*", "(", "a", " ", ":", "\ud800", "\u0301"])).map("".join),
        st.integers(1, 2000).map(lambda count: "word " * count),
    )
)
async def test_no_query_is_ever_syntax(store: Store, query: str) -> None:
    await store.knowledge.put(draft(AGENT, "n", "a word AND title: NEAR"))
    for expression in (every_word(query), any_word(query)):
        hits = await store.knowledge.search(SEEN.owners, expression, 10)
        assert [hit.info.name for hit in hits] in ([], ["n"])


@pytest.mark.parametrize("name", ["", " ", " n", "n\n", "a\x1b[2Jb", "n" * 301, "a\u202eb"])
def test_a_name_that_could_mislead_is_refused(name: str) -> None:
    with pytest.raises(InvalidRequest, match="name"):
        draft(AGENT, name, "text")


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="too long"):
        draft(AGENT, "n", "x" * (512 * 1024 + 1))


async def test_a_model_replaces_only_what_a_model_wrote_and_nobody_pinned(store: Store) -> None:
    await store.knowledge.put(draft(AGENT, "mine", "by hand"))
    await store.knowledge.put(by_model(AGENT, "pinned", "first"))
    await store.knowledge.pin(AGENT, "pinned", True)
    for name in ("mine", "pinned"):
        with pytest.raises(Conflict, match="not replaced"):
            await store.knowledge.put(by_model(AGENT, name, "taken over"))
    await store.knowledge.put(by_model(AGENT, "notes", "first"))
    await store.knowledge.put(by_model(AGENT, "notes", "second"))
    assert (await store.knowledge.get(AGENT, "notes")).text == "second"


def file(name: str, text: str, stamp: str = "1") -> FileText:
    return FileText(name, f"/somewhere/{name}", "", text, stamp)


async def test_documents_follow_their_files(store: Store) -> None:
    made = await store.imports.add(WORKSPACE, "/somewhere", "docs")
    assert await store.imports.add(WORKSPACE, "/somewhere", "docs") == made
    first = [file("docs/a", "ebb"), file("docs/b", "flood")]
    assert (await store.imports.follow(made.id, first, [])).changed
    assert not (await store.imports.follow(made.id, first, ["docs/c"])).changed
    await store.knowledge.pin(WORKSPACE, "docs/a", True)
    await store.imports.follow(made.id, [file("docs/a", "neap", "2")], ["docs/b"])
    assert await store.imports.stamps(made.id) == {"docs/a": "2"}
    assert await found(store, "ebb") == await found(store, "flood") == []
    assert (await store.knowledge.get(WORKSPACE, "docs/a")).info.pinned
    for change in (
        store.knowledge.put(draft(WORKSPACE, "docs/a", "by hand")),
        store.knowledge.delete(WORKSPACE, "docs/a"),
    ):
        with pytest.raises(Conflict, match="follows a file"):
            await change
    await store.imports.drop(made.id)
    assert await store.imports.all() == await store.knowledge.listing([WORKSPACE]) == []


async def test_a_file_that_comes_back_is_pinned_again(store: Store) -> None:
    made = await store.imports.add(WORKSPACE, "/somewhere", "docs")
    await store.imports.follow(made.id, [file("docs/a", "ebb"), file("docs/b", "flood")], [])
    await store.knowledge.pin(WORKSPACE, "docs/a", True)
    await store.imports.follow(made.id, [], ["docs/a", "docs/b"])
    await store.imports.follow(made.id, [file("docs/a", "neap"), file("docs/b", "flood")], [])
    assert [info.name for info in await store.knowledge.listing([WORKSPACE], pinned=True)] == ["docs/a"]
    await store.knowledge.pin(WORKSPACE, "docs/a", False)
    await store.imports.follow(made.id, [], ["docs/a"])
    await store.imports.follow(made.id, [file("docs/a", "neap")], [])
    assert await store.knowledge.listing([WORKSPACE], pinned=True) == []
    await store.knowledge.pin(WORKSPACE, "docs/a", True)
    await store.imports.follow(made.id, [], ["docs/a"])
    await store.imports.drop(made.id)


async def test_a_file_does_not_take_the_name_of_another_document(store: Store) -> None:
    await store.knowledge.put(draft(WORKSPACE, "docs/a", "by hand"))
    made = await store.imports.add(WORKSPACE, "/somewhere", "docs")
    assert await store.imports.follow(made.id, [file("docs/a", "ebb")], []) == Written(False, ("docs/a",))
    assert (await store.knowledge.get(WORKSPACE, "docs/a")).text == "by hand"


async def test_two_folders_of_one_name_are_told_apart(store: Store) -> None:
    labels = [(await store.imports.add(WORKSPACE, f"/{place}/docs", "docs")).label for place in "abc"]
    assert labels == ["docs", "docs (2)", "docs (3)"]
    assert (await store.imports.add(AGENT, "/a/docs", "docs")).label == "docs"


async def test_a_forgotten_owner_is_gone_at_once_and_for_good(path: Path) -> None:
    async with open_store(path) as store:
        for number in range(FORGOTTEN_AT_ONCE + 1):
            await store.knowledge.put(draft(CONVERSATION, f"n{number}", "words"))
        await store.knowledge.put(draft(WORKSPACE, "kept", "words"))
        made = await store.imports.add(CONVERSATION, "/somewhere", "docs")
        await store.knowledge.begin_forget(CONVERSATION)
        assert await found(store, "words") == ["kept"]
        assert await store.knowledge.listing([CONVERSATION]) == []
        with pytest.raises(Conflict, match="being forgotten"):
            await store.knowledge.put(draft(CONVERSATION, "late", "words"))
        with pytest.raises(Conflict, match="being forgotten"):
            await store.imports.add(CONVERSATION, "/elsewhere", "docs")
        assert await store.imports.follow(made.id, [file("docs/a", "late")], []) == Written(False, ())
        assert await store.knowledge.forget_some(CONVERSATION)
    async with open_store(path) as store:
        assert await store.knowledge.forgets() == [CONVERSATION]
        assert not await store.knowledge.forget_some(CONVERSATION)
        assert await store.knowledge.forgets() == await store.imports.all() == []
        assert [info.name for info in await store.knowledge.listing(SEEN.owners)] == ["kept"]
        await store.knowledge.put(draft(CONVERSATION, "again", "words"))
        assert sorted(await found(store, "words")) == ["again", "kept"]


async def test_the_index_never_says_anything_but_the_documents(store: Store, path: Path) -> None:
    made = await store.imports.add(AGENT, "/somewhere", "docs")
    for number in range(20):
        await store.knowledge.put(draft(AGENT, f"n{number % 7}", f"words {number}"))
        await store.imports.follow(made.id, [file(f"docs/{number % 5}", f"text {number}")], ["docs/3"])
    await store.knowledge.delete(AGENT, "n3")
    await store.knowledge.begin_forget(AGENT)
    while await store.knowledge.forget_some(AGENT):
        pass
    await store.knowledge.put(draft(AGENT, "last", "word"))
    raw = sqlite3.connect(path)
    raw.execute("INSERT INTO documents_index (documents_index, rank) VALUES ('integrity-check', 1)")
    raw.close()
    assert await found(store, "word") == ["last"]
