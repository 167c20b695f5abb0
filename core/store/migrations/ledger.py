"""4: the words of every decision, and decisions by the item that they were about."""

from __future__ import annotations

from typing import Final


def _words(content: str) -> str:
    """Every text in the JSON of a request but ids and what Codex is sent back; what is no JSON, as it is."""
    return f"""CASE WHEN json_valid({content}) THEN (
        SELECT group_concat(atom, ' ') FROM json_tree({content})
        WHERE type = 'text' AND path NOT LIKE '$.choices%' AND path <> '$.key'
            AND coalesce(key, '') NOT IN ('kind', 'verb', 'thread_id', 'turn_id', 'item_id')
            AND (coalesce(key, '') <> 'raw' OR path = '$'))
        ELSE {content} END"""


SQL: Final = f"""
CREATE INDEX decisions_by_item ON decisions (
    conversation_id, CASE WHEN json_valid(content) THEN json_extract(content, '$.item_id') END);

CREATE VIRTUAL TABLE decisions_index USING fts5 (
    words, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
INSERT INTO decisions_index (rowid, words) SELECT id, {_words("content")} FROM decisions;
CREATE TRIGGER decisions_are_indexed AFTER INSERT ON decisions BEGIN
    INSERT INTO decisions_index (rowid, words) VALUES (NEW.id, {_words("NEW.content")});
END;
"""
