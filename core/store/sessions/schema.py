"""The tables of the index. Nothing in it is the only copy of anything."""

from __future__ import annotations

from typing import Final

TEXT_BITS: Final = 24
"""A text's id is its session's, shifted by so many bits, and its place in the session: no join finds whose it is."""

TITLE_PLACE: Final = 0
FOLDER_PLACE: Final = 1
FIRST_PLACE: Final = 2

WEIGHTS: Final = "10.0, 4.0, 2.0, 2.0, 1.0"
"""Of the columns of `texts_index`: a title tells more than one's own words, and those more than the rest."""

_TABLES: Final = """
-- A thread, a conversation of ours, or both. conversation_title, thread_name, conversation_ms and thread_ms
-- are what each of them says; title and updated_at_ms what is shown of it.
-- stamp: what the thread's contents are now; read_stamp: as of when they are in the index.
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    thread_id TEXT UNIQUE,
    conversation_id TEXT UNIQUE,
    title TEXT NOT NULL DEFAULT '',
    conversation_title TEXT NOT NULL DEFAULT '',
    thread_name TEXT NOT NULL DEFAULT '',
    preview TEXT NOT NULL DEFAULT '',
    folder TEXT NOT NULL DEFAULT '',
    branch TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT 'quarterdeck',
    model TEXT NOT NULL DEFAULT '',
    provider TEXT NOT NULL DEFAULT '',
    created_at_ms INTEGER NOT NULL DEFAULT 0,
    updated_at_ms INTEGER NOT NULL DEFAULT 0,
    conversation_ms INTEGER NOT NULL DEFAULT 0,
    thread_ms INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    last_state TEXT NOT NULL DEFAULT 'idle',
    sub_agent INTEGER NOT NULL DEFAULT 0,
    parent_id TEXT,
    forked_from_id TEXT,
    rollout TEXT NOT NULL DEFAULT '',
    listed INTEGER NOT NULL DEFAULT 0,
    readable INTEGER NOT NULL DEFAULT 1,
    why TEXT NOT NULL DEFAULT '',
    pinned INTEGER NOT NULL DEFAULT 0,
    tags TEXT NOT NULL DEFAULT '',
    turns INTEGER NOT NULL DEFAULT 0,
    items INTEGER NOT NULL DEFAULT 0,
    rollout_bytes INTEGER NOT NULL DEFAULT 0,
    own_bytes INTEGER NOT NULL DEFAULT 0,
    has_changes INTEGER NOT NULL DEFAULT 0,
    last_turn TEXT NOT NULL DEFAULT '',
    next_place INTEGER NOT NULL DEFAULT 2,
    boxes_seq INTEGER NOT NULL DEFAULT 0,
    cursor TEXT,
    stamp TEXT NOT NULL DEFAULT '',
    read_stamp TEXT NOT NULL DEFAULT '',
    unread INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sessions_by_recency ON sessions (archived, sub_agent, pinned DESC, updated_at_ms DESC, id DESC);
CREATE INDEX sessions_unread ON sessions (updated_at_ms) WHERE unread = 1;

CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    item_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    box_id INTEGER,
    at_ms INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE UNIQUE INDEX texts_by_item ON texts (session, item_id, kind);

-- A copy of what a person attached: sessions come and go in here, pins and tags stay.
CREATE TABLE marks (
    key TEXT NOT NULL PRIMARY KEY,
    pinned INTEGER NOT NULL,
    tags TEXT NOT NULL
);

-- How far our own database has been looked through, by the name of its table.
CREATE TABLE watermarks (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL);
"""

_COLUMN_OF_KIND: Final = {
    "title": ("title", "folder"),
    "own": ("user",),
    "said": ("assistant", "reasoning", "plan", "notice"),
    "done": ("command", "files", "tool", "search", "decision"),
    "output": ("output", "other"),
}


def _columns(row: str) -> str:
    """Which column of the full-text index a row's text goes to, by its kind; the others are empty."""
    return ", ".join(
        f"CASE WHEN {row}kind IN ({', '.join(repr(kind) for kind in kinds)}) THEN {row}text END AS {column}"
        for column, kinds in _COLUMN_OF_KIND.items()
    )


_INDEX: Final = f"""
CREATE VIEW texts_by_column AS SELECT id, {_columns("")} FROM texts;
CREATE VIRTUAL TABLE texts_index USING fts5 (
    title, own, said, done, output, content = 'texts_by_column', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER texts_are_indexed AFTER INSERT ON texts BEGIN
    INSERT INTO texts_index (rowid, title, own, said, done, output) SELECT NEW.id, {_columns("NEW.")};
END;
CREATE TRIGGER texts_leave_the_index AFTER DELETE ON texts BEGIN
    INSERT INTO texts_index (texts_index, rowid, title, own, said, done, output)
    SELECT 'delete', OLD.id, {_columns("OLD.")};
END;
CREATE TRIGGER texts_are_indexed_anew AFTER UPDATE OF text ON texts BEGIN
    INSERT INTO texts_index (texts_index, rowid, title, own, said, done, output)
    SELECT 'delete', OLD.id, {_columns("OLD.")};
    INSERT INTO texts_index (rowid, title, own, said, done, output) SELECT NEW.id, {_columns("NEW.")};
END;
"""

MIGRATIONS: Final[tuple[str, ...]] = (_TABLES + _INDEX,)
