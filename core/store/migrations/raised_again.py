"""11: a request that was taken for over may be raised again; what stands twice is only the past."""

from __future__ import annotations

from typing import Final

from core.store.migrations.conversations import APPEND_ONLY_REFUSED, FORWARD_REFUSED

SQL: Final = f"""
CREATE TABLE notifications_next (
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
    grounds TEXT NOT NULL DEFAULT '{{}}',
    CHECK (state NOT IN ('decided', 'sent', 'delivered')
        OR (decided_by IS NOT NULL AND answer IS NOT NULL AND shown_hash IS NOT NULL
            AND decided_at_ms IS NOT NULL AND decision_id IS NOT NULL))
);
INSERT INTO notifications_next
    SELECT id, conversation_id, thread_id, generation, request_id, kind, request, raised_at_ms, state, decided_by,
        answer, shown_hash, decided_at_ms, decision_id, outcome, grounds FROM notifications;
DROP TABLE notifications;
ALTER TABLE notifications_next RENAME TO notifications;

CREATE UNIQUE INDEX notifications_by_request ON notifications (generation, request_id)
    WHERE state NOT IN ('withdrawn', 'died');
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
"""
