"""The tables, as numbered migrations: a module each, its number is its place in `MIGRATIONS`.

A migration is never changed once released; the next one goes to the end. The tables refuse by themselves
what must not happen, whoever writes: a gap or a duplicate in a log, a change of what was recorded, a
notification that moves backwards.
"""

from __future__ import annotations

from typing import Final

from core.store.migrations import (
    conversations,
    grounds,
    imported,
    knowledge,
    ledger,
    marks,
    operations,
    raised_again,
    rules,
    said,
    seen,
)

MIGRATIONS: Final[tuple[str, ...]] = (
    conversations.SQL,
    rules.SQL,
    knowledge.SQL,
    ledger.SQL,
    imported.SQL,
    marks.SQL,
    said.SQL,
    operations.SQL,
    grounds.SQL,
    seen.SQL,
    raised_again.SQL,
)
