"""Sessions in memory, for what the browser does with them; a search can be made to wait."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.conversation.feed import Feed, IndexProgress, SessionsChanged
from core.deleting import Deletions
from core.errors import Conflict, NotFound, QuarterdeckError
from core.export.export import Exported, Pieces
from core.export.parts import Format
from core.sessions.model import (
    Difference,
    Facet,
    Facets,
    Hit,
    IndexPhase,
    Kind,
    Progress,
    SessionEntry,
    SessionItem,
    SessionMatch,
    SessionQuery,
    SessionsPage,
    Sort,
)
from core.sessions.model import (
    Pieces as Words,
)
from tests.tui.fake_engine import FakeEngine

NOW_MS = 1_700_000_000_000
DAY = 86_400_000


def session(number: int, title: str = "", **more: object) -> SessionEntry:
    """A session that changed `number` hours before now."""
    entry = SessionEntry(
        key=f"t{number}",
        thread_id=f"t{number}",
        conversation_id=f"c{number}",
        title=title or f"Session {number}",
        preview="",
        folder="/home/dev/harbour",
        branch="main",
        source="cli",
        model="gpt-9",
        provider="openai",
        created_at_ms=NOW_MS - number * 3_600_000,
        updated_at_ms=NOW_MS - number * 3_600_000,
        turns=3,
        items=9,
        bytes=12_000 + number,
        rollout=f"/home/dev/.codex/sessions/rollout-{number}.jsonl",
    )
    return replace(entry, **more)


def marked(text: str, words: list[str]) -> Words:
    """The text with the words in it as hits."""
    pieces: list[tuple[str, bool]] = [(text, False)]
    for word in words:
        split: list[tuple[str, bool]] = []
        for part, hit in pieces:
            at = -1 if hit else part.lower().find(word)
            if at < 0:
                split.append((part, hit))
            else:
                split += [
                    (part[:at], False),
                    (part[at : at + len(word)], True),
                    (part[at + len(word) :], False),
                ]
        pieces = [piece for piece in split if piece[0]]
    return tuple(pieces)


@dataclass
class FakeSessions:
    """Searches wait while `go` is cleared; `asked` is set by each, `answered` are those that got their answer."""

    feed: Feed
    entries: list[SessionEntry] = field(default_factory=list[SessionEntry])
    texts: dict[str, list[SessionItem]] = field(default_factory=dict[str, list[SessionItem]])
    progress: Progress = field(default_factory=lambda: Progress(IndexPhase.READY))
    begun: list[SessionQuery] = field(default_factory=list[SessionQuery])
    answered: list[SessionQuery] = field(default_factory=list[SessionQuery])
    opened: list[str] = field(default_factory=list[str])
    found: tuple[Difference, ...] = ()
    fails: QuarterdeckError | None = None
    go: asyncio.Event = field(default_factory=asyncio.Event)
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.go.set()

    def say(self, key: str, *said: tuple[Kind, str]) -> None:
        """Texts of a session."""
        items = self.texts.setdefault(key, [])
        for kind, text in said:
            place = len(items) + 1
            items.append(SessionItem(place, kind, NOW_MS, "turn", f"i{place}", place, text))

    def change(self, key: str, **more: object) -> None:
        self.entries = [replace(one, **more) if one.key == key else one for one in self.entries]
        self.feed.tell(SessionsChanged())

    def tell(self, progress: Progress) -> None:
        self.progress = progress
        self.feed.tell(IndexProgress(progress))

    async def search(self, query: SessionQuery, cursor: str | None = None, limit: int = 50) -> SessionsPage:
        self.begun.append(query)
        self.asked.set()
        await self.go.wait()
        if self.fails is not None:
            raise self.fails
        self.answered.append(query)
        matches = [match for match in (self._match(one, query) for one in self._kept(query)) if match]
        first = int(cursor or 0)
        rest = first + limit < len(matches)
        page = tuple(matches[first : first + limit])
        return SessionsPage(page, len(matches), str(first + limit) if rest else None)

    async def entry(self, key: str) -> SessionEntry:
        for one in self.entries:
            if key in (one.key, one.conversation_id):
                return one
        raise NotFound(f"There is no session {key}")

    async def items(self, key: str, around: int | None = None, limit: int = 100) -> tuple[SessionItem, ...]:
        items = self.texts.get(key, [])
        end = len(items) if around is None else around
        return tuple(items[max(0, end - limit) : end])

    async def facets(self) -> Facets:
        shown = [one for one in self.entries if not one.archived]

        def count(name: str) -> tuple[Facet, ...]:
            return tuple(
                Facet(value, number)
                for value, number in Counter(getattr(one, name) for one in shown).most_common()
            )

        tags = Counter(tag for one in shown for tag in one.tags)
        return Facets(
            count("folder"),
            count("source"),
            count("model"),
            count("branch"),
            tuple(Facet(value, number) for value, number in tags.most_common()),
            len(self.entries),
            len(self.entries) - len(shown),
        )

    async def pin(self, key: str) -> None:
        self.change(key, pinned=True)

    async def unpin(self, key: str) -> None:
        self.change(key, pinned=False)

    async def tag(self, key: str, tag: str) -> None:
        self.change(key, tags=(*(await self.entry(key)).tags, tag))

    async def untag(self, key: str, tag: str) -> None:
        self.change(key, tags=tuple(one for one in (await self.entry(key)).tags if one != tag))

    async def open(self, key: str) -> str:
        entry = await self.entry(key)
        if not entry.readable or entry.conversation_id is None:
            raise Conflict("This session cannot be opened", why=entry.why, todo="Look at its file.")
        self.opened.append(key)
        return entry.conversation_id

    async def differences(self) -> tuple[Difference, ...]:
        return self.found

    def _kept(self, query: SessionQuery) -> list[SessionEntry]:
        names = ("folder", "state", "source", "model", "branch", "archived", "has_changes", "pinned")
        wanted = {name: getattr(query, name) for name in names if getattr(query, name) is not None}
        kept = [
            one
            for one in self.entries
            if all(getattr(one, name) == value for name, value in wanted.items())
            and (query.tag is None or query.tag in one.tags)
            and (query.since_ms is None or one.updated_at_ms >= query.since_ms)
        ]
        if query.sort is Sort.TITLE:
            return sorted(kept, key=lambda one: one.title)
        return sorted(kept, key=lambda one: (not one.pinned, -one.updated_at_ms))

    def _match(self, entry: SessionEntry, query: SessionQuery) -> SessionMatch | None:
        words = query.text.lower().split()
        if not words:
            return SessionMatch(entry)
        hits: list[Hit] = []
        if all(word in entry.title.lower() for word in words):
            hits.append(Hit(Kind.TITLE, NOW_MS, None, "", marked(entry.title, words)))
        for item in self.texts.get(entry.key, []):
            if all(word in item.text.lower() for word in words):
                hits.append(Hit(item.kind, item.at_ms, item.box_id, item.item_id, marked(item.text, words)))
        return SessionMatch(entry, tuple(hits[:3])) if hits else None


@dataclass
class FakeOperations:
    """Writes down what it is asked."""

    engine: BrowserEngine
    done: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    fails: QuarterdeckError | None = None

    async def fork(self, conversation_id: str, after_box: int | None = None) -> str:
        return self._note("fork", conversation_id) or f"fork-of-{conversation_id}"

    async def rename(self, conversation_id: str, title: str) -> None:
        self._note("rename", conversation_id, title)
        self.engine.sessions.change(self._key(conversation_id), title=title)

    async def archive(self, conversation_id: str) -> None:
        self._note("archive", conversation_id)
        self.engine.sessions.change(self._key(conversation_id), archived=True)

    async def unarchive(self, conversation_id: str) -> None:
        self._note("unarchive", conversation_id)
        self.engine.sessions.change(self._key(conversation_id), archived=False)

    async def delete(self, conversation_id: str) -> None:
        self._note("delete", conversation_id)
        sessions = self.engine.sessions
        sessions.entries = [one for one in sessions.entries if one.conversation_id != conversation_id]

    def _note(self, *what: str) -> None:
        if self.fails is not None:
            raise self.fails
        self.done.append(what)

    def _key(self, conversation_id: str) -> str:
        return next(one.key for one in self.engine.sessions.entries if one.conversation_id == conversation_id)


@dataclass
class FakeExport:
    written: list[tuple[str, Path, Format]] = field(default_factory=list[tuple[str, Path, Format]])

    async def name(self, conversation_id: str, format_: Format) -> str:
        return f"{conversation_id}.{format_.value}"

    async def to_file(self, conversation_id: str, path: Path, format_: Format) -> Exported:
        self.written.append((conversation_id, path, format_))
        return Exported(path, 1)

    def pieces(self, conversation_id: str, format_: Format) -> Pieces:
        async def text() -> AsyncIterator[str]:
            yield f"# The text of {conversation_id}"

        return Pieces(text())


class BrowserEngine(FakeEngine):
    def __init__(self) -> None:
        super().__init__()
        self.sessions = FakeSessions(self.feed)
        self.operations = FakeOperations(self)
        self.export = FakeExport()
        self.deletions = Deletions(self._delete, self.feed)

    async def _delete(self, key: str) -> None:
        await self.operations.delete(await self.sessions.open(key))
