"""1: workspaces, conversations and their logs, decisions, notifications, drafts."""

from __future__ import annotations

from typing import Final

SEQUENCE_REFUSED: Final = "records: the sequence goes on by one"
NUMBERING_REFUSED: Final = "records: boxes and events are numbered without a gap"
APPEND_ONLY_REFUSED: Final = "recorded rows are never changed or deleted"
FORWARD_REFUSED: Final = "notifications: a state only moves forward, the request never changes"

SQL: Final = f"""
CREATE TABLE workspaces (
    id TEXT NOT NULL PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL CHECK (revision >= 1),
    defaults TEXT NOT NULL,
    policy TEXT NOT NULL
);

-- recency: a number that only grows, taken anew by every change; the order of listings.
CREATE TABLE conversations (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    workspace_revision INTEGER NOT NULL CHECK (workspace_revision >= 1),
    title TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    recency INTEGER NOT NULL,
    thread_id TEXT UNIQUE,
    materialised INTEGER NOT NULL CHECK (materialised IN (0, 1)),
    defaults TEXT NOT NULL,
    selection TEXT,
    lifecycle TEXT NOT NULL CHECK (lifecycle IN ('open', 'closing', 'closed')),
    last_state TEXT NOT NULL,
    CHECK (materialised = 0 OR thread_id IS NOT NULL)
);
CREATE INDEX conversations_by_recency ON conversations (recency);
CREATE INDEX conversations_by_workspace ON conversations (workspace_id, recency);

-- A box (box_id and the four after it) or an event (after_box_id and the three after it).
CREATE TABLE records (
    conversation_id TEXT NOT NULL REFERENCES conversations (id),
    seq INTEGER NOT NULL,
    box_id INTEGER,
    box_type TEXT,
    contents TEXT,
    hidden_type TEXT,
    hidden_contents TEXT,
    after_box_id INTEGER,
    event_index INTEGER,
    kind TEXT,
    data TEXT,
    recorded_at_ms INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, seq),
    CHECK (CASE WHEN box_id IS NULL
        THEN coalesce(box_type, contents, hidden_type, hidden_contents) IS NULL
            AND after_box_id IS NOT NULL AND event_index IS NOT NULL
            AND kind IS NOT NULL AND data IS NOT NULL
        ELSE coalesce(after_box_id, event_index, kind, data) IS NULL
            AND box_type IS NOT NULL AND contents IS NOT NULL
            AND hidden_type IS NOT NULL AND hidden_contents IS NOT NULL
        END)
);
CREATE UNIQUE INDEX records_boxes ON records (conversation_id, box_id) WHERE box_id IS NOT NULL;
CREATE UNIQUE INDEX records_events ON records (conversation_id, after_box_id, event_index)
    WHERE box_id IS NULL;

-- In this order: who appends at a wrong place is told that, not that the numbers are wrong.
CREATE TRIGGER records_go_on BEFORE INSERT ON records BEGIN
    SELECT RAISE(ABORT, '{SEQUENCE_REFUSED}')
    WHERE NEW.seq IS NOT 1 + coalesce(
        (SELECT max(seq) FROM records WHERE conversation_id = NEW.conversation_id), 0);

    SELECT RAISE(ABORT, '{NUMBERING_REFUSED}')
    WHERE NEW.box_id IS NOT NULL AND NEW.box_id IS NOT 1 + coalesce(
        (SELECT max(box_id) FROM records
            WHERE conversation_id = NEW.conversation_id AND box_id IS NOT NULL), 0);

    SELECT RAISE(ABORT, '{NUMBERING_REFUSED}')
    WHERE NEW.box_id IS NULL AND NEW.event_index IS NOT 1 + coalesce(
        (SELECT max(event_index) FROM records
            WHERE conversation_id = NEW.conversation_id AND after_box_id = NEW.after_box_id
                AND box_id IS NULL), 0);

    SELECT RAISE(ABORT, '{NUMBERING_REFUSED}')
    WHERE NEW.box_id IS NULL AND NEW.after_box_id IS NOT 0 AND NOT EXISTS (
        SELECT 1 FROM records WHERE conversation_id = NEW.conversation_id AND box_id = NEW.after_box_id);
END;

CREATE TRIGGER records_stay_as_they_are BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY_REFUSED}'); END;
CREATE TRIGGER records_stay BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY_REFUSED}'); END;

-- kept: the item is recorded, and this is its only whole copy. Otherwise the item is in flight.
CREATE TABLE chunks (
    conversation_id TEXT NOT NULL REFERENCES conversations (id),
    item_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    part INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    text TEXT NOT NULL,
    kept INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1)),
    PRIMARY KEY (conversation_id, item_id, channel, part, seq)
);
CREATE INDEX chunks_in_flight ON chunks (conversation_id) WHERE kept = 0;

CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    conversation_id TEXT REFERENCES conversations (id),
    decided_by TEXT NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    answer TEXT NOT NULL
);
CREATE INDEX decisions_by_conversation ON decisions (conversation_id, id);

CREATE TABLE outcomes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    decision_id INTEGER NOT NULL REFERENCES decisions (id),
    at_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL
);
CREATE INDEX outcomes_by_decision ON outcomes (decision_id);

CREATE TRIGGER decisions_stay_as_they_are BEFORE UPDATE ON decisions
BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY_REFUSED}'); END;
CREATE TRIGGER decisions_stay BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY_REFUSED}'); END;
CREATE TRIGGER outcomes_stay_as_they_are BEFORE UPDATE ON outcomes
BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY_REFUSED}'); END;
CREATE TRIGGER outcomes_stay BEFORE DELETE ON outcomes
BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY_REFUSED}'); END;

-- request_id is JSON: 0 and "0" are two ids (PROTOCOL, Framing).
CREATE TABLE notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id TEXT REFERENCES conversations (id),
    thread_id TEXT NOT NULL,
    generation TEXT NOT NULL,
    request_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    request TEXT NOT NULL,
    raised_at_ms INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'decided', 'sent', 'delivered', 'withdrawn', 'died')),
    decided_by TEXT,
    answer TEXT,
    shown_hash TEXT,
    decided_at_ms INTEGER,
    decision_id INTEGER REFERENCES decisions (id),
    outcome TEXT NOT NULL DEFAULT '',
    UNIQUE (generation, request_id),
    CHECK (state NOT IN ('decided', 'sent', 'delivered')
        OR (decided_by IS NOT NULL AND answer IS NOT NULL AND shown_hash IS NOT NULL
            AND decided_at_ms IS NOT NULL AND decision_id IS NOT NULL))
);
CREATE INDEX notifications_unsettled ON notifications (id)
    WHERE state IN ('pending', 'decided', 'sent');

CREATE TRIGGER notifications_move_forward BEFORE UPDATE ON notifications
WHEN NOT CASE OLD.state
    WHEN 'pending' THEN NEW.state IN ('decided', 'withdrawn', 'died')
    WHEN 'decided' THEN NEW.state IN ('sent', 'withdrawn', 'died')
    WHEN 'sent' THEN NEW.state IN ('delivered', 'withdrawn', 'died')
    ELSE 0 END
BEGIN SELECT RAISE(ABORT, '{FORWARD_REFUSED}'); END;

CREATE TRIGGER notifications_keep_what_was_asked BEFORE UPDATE ON notifications
WHEN NEW.id IS NOT OLD.id OR NEW.conversation_id IS NOT OLD.conversation_id
    OR NEW.thread_id IS NOT OLD.thread_id OR NEW.generation IS NOT OLD.generation
    OR NEW.request_id IS NOT OLD.request_id OR NEW.kind IS NOT OLD.kind
    OR NEW.request IS NOT OLD.request OR NEW.raised_at_ms IS NOT OLD.raised_at_ms
    OR (OLD.decided_by IS NOT NULL AND (
        NEW.decided_by IS NOT OLD.decided_by OR NEW.answer IS NOT OLD.answer
        OR NEW.shown_hash IS NOT OLD.shown_hash OR NEW.decided_at_ms IS NOT OLD.decided_at_ms
        OR NEW.decision_id IS NOT OLD.decision_id))
BEGIN SELECT RAISE(ABORT, '{FORWARD_REFUSED}'); END;

CREATE TRIGGER notifications_stay BEFORE DELETE ON notifications
BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY_REFUSED}'); END;

CREATE TABLE drafts (
    key TEXT NOT NULL PRIMARY KEY,
    text TEXT NOT NULL,
    updated_at_ms INTEGER NOT NULL
);
"""
