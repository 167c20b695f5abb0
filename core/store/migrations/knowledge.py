"""3: documents, what they follow, and their index."""

from __future__ import annotations

from typing import Final

SQL: Final = """
-- path: the Markdown file or folder that the documents follow.
CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('agent', 'workspace', 'conversation')),
    owner_id TEXT NOT NULL,
    path TEXT NOT NULL,
    label TEXT NOT NULL,
    UNIQUE (owner_kind, owner_id, path),
    UNIQUE (owner_kind, owner_id, label)
);

-- import_id, path and stamp belong to a document that follows a file.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('agent', 'workspace', 'conversation')),
    owner_id TEXT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    characters INTEGER NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('person', 'model', 'file')),
    import_id INTEGER REFERENCES imports (id),
    path TEXT NOT NULL DEFAULT '',
    stamp TEXT NOT NULL DEFAULT '',
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    updated_at_ms INTEGER NOT NULL,
    UNIQUE (owner_kind, owner_id, name),
    CHECK ((origin = 'file') = (import_id IS NOT NULL))
);
CREATE INDEX documents_by_import ON documents (import_id) WHERE import_id IS NOT NULL;

-- Pinned documents whose files are away, as on another branch: pinned again when they are back.
CREATE TABLE missing_pins (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (import_id, name)
);

-- An owner whose documents are to go: none of them is seen from here on.
CREATE TABLE forgets (
    owner_kind TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    asked_at_ms INTEGER NOT NULL,
    PRIMARY KEY (owner_kind, owner_id)
);

CREATE VIEW visible_documents AS SELECT * FROM documents WHERE NOT EXISTS (
    SELECT 1 FROM forgets
    WHERE forgets.owner_kind = documents.owner_kind AND forgets.owner_id = documents.owner_id);

CREATE VIRTUAL TABLE documents_index USING fts5 (
    name, title, text, content = 'documents', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER documents_are_indexed AFTER INSERT ON documents BEGIN
    INSERT INTO documents_index (rowid, name, title, text)
    VALUES (NEW.id, NEW.name, NEW.title, NEW.text);
END;
CREATE TRIGGER documents_leave_the_index AFTER DELETE ON documents BEGIN
    INSERT INTO documents_index (documents_index, rowid, name, title, text)
    VALUES ('delete', OLD.id, OLD.name, OLD.title, OLD.text);
END;
CREATE TRIGGER documents_are_indexed_anew AFTER UPDATE OF id, name, title, text ON documents BEGIN
    INSERT INTO documents_index (documents_index, rowid, name, title, text)
    VALUES ('delete', OLD.id, OLD.name, OLD.title, OLD.text);
    INSERT INTO documents_index (rowid, name, title, text)
    VALUES (NEW.id, NEW.name, NEW.title, NEW.text);
END;
"""
