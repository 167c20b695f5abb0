"""What a person attached to a session: pins and tags."""

from __future__ import annotations

from typing import Final

# key: a Codex thread's id, or the id of a conversation that had no thread yet.
SQL: Final = """
CREATE TABLE session_pins (
    key TEXT NOT NULL PRIMARY KEY,
    pinned_at_ms INTEGER NOT NULL
);
CREATE TABLE session_tags (
    key TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (key, tag)
);
"""
