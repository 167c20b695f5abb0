"""How far a person saw each conversation."""

from __future__ import annotations

from typing import Final

# What is there when this is first known counts as seen.
SQL: Final = """
CREATE TABLE seen (
    conversation_id TEXT NOT NULL PRIMARY KEY REFERENCES conversations (id),
    box_id INTEGER NOT NULL
);
INSERT INTO seen SELECT conversation_id, max(box_id) FROM records WHERE box_id IS NOT NULL GROUP BY conversation_id;
"""
