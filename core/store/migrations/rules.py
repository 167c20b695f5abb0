"""2: the rules that decide without a person."""

from __future__ import annotations

from typing import Final

# pattern: as JSON, the words of a command (null: any one word), or a name. One revision for all rules: the
# order decides, so a change of one of them changes what the others mean.
SQL: Final = """
CREATE TABLE rules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL UNIQUE,
    verdict TEXT NOT NULL CHECK (verdict IN ('allow', 'ask', 'deny')),
    kind TEXT NOT NULL CHECK (kind IN ('command', 'path', 'host', 'tool')),
    pattern TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('conversation', 'workspace', 'everywhere')),
    reach_of TEXT NOT NULL CHECK ((reach = 'everywhere') = (reach_of = '')),
    expires_at_ms INTEGER,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    note TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    hits INTEGER NOT NULL DEFAULT 0 CHECK (hits >= 0),
    last_hit_ms INTEGER
);

CREATE TABLE rules_revision (
    only_one INTEGER NOT NULL PRIMARY KEY CHECK (only_one = 1),
    revision INTEGER NOT NULL
);
INSERT INTO rules_revision (only_one, revision) VALUES (1, 1);
"""
