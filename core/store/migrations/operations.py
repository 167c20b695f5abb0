"""What is done with a conversation in more than one step; what is put away, copied or a sub-agent's."""

from __future__ import annotations

from typing import Final

SQL: Final = """
ALTER TABLE conversations ADD COLUMN archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1));

-- The conversation whose sub-agent this one shows.
ALTER TABLE conversations ADD COLUMN parent_id TEXT REFERENCES conversations (id);

-- The conversation that this one was copied from.
ALTER TABLE conversations ADD COLUMN forked_from TEXT REFERENCES conversations (id);

-- Recorded before Codex is asked, so that the next start can finish it or say that it failed.
CREATE TABLE operations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    conversation_id TEXT NOT NULL REFERENCES conversations (id),
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'failed')),
    outcome TEXT NOT NULL DEFAULT ''
);
CREATE INDEX operations_pending ON operations (id) WHERE state = 'pending';

CREATE TRIGGER operations_end_once BEFORE UPDATE ON operations WHEN OLD.state IS NOT 'pending'
BEGIN SELECT RAISE(ABORT, 'operations: one that ended does not change'); END;
"""
