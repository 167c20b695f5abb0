"""Which conversations were imported, and from which export."""

from __future__ import annotations

from typing import Final

SQL: Final = """
-- digest: of the export's contents; place: which of its conversations, from 0.
CREATE TABLE imported (
    conversation_id TEXT NOT NULL PRIMARY KEY REFERENCES conversations (id),
    digest TEXT NOT NULL,
    place INTEGER NOT NULL,
    origin_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    UNIQUE (digest, place)
);
"""
