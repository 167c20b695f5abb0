"""Group commit: many operations in one transaction, and each answered for itself. Runs on SQLite's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.store.failures import is_busy

Operation = Callable[[sqlite3.Connection], Any]
"""Statements within a transaction that is already open. It may run twice, so it keeps nothing outside."""


@dataclass(frozen=True, slots=True)
class Done:
    value: Any


@dataclass(frozen=True, slots=True)
class Failed:
    error: Exception


Outcome = Done | Failed


def commit(connection: sqlite3.Connection, operations: Sequence[Operation]) -> list[Outcome]:
    """Run the operations in one transaction; an outcome for each, in order. `Done` means durable.

    An operation that raises is undone alone. Where SQLite gives up the whole transaction (disk full, a
    failing disk), each operation gets another chance alone, so that one that does not fit does not take
    the others with it. A lock held by another process fails all: each would wait as long again.
    """
    try:
        return _commit_together(connection, operations)
    except Exception as error:  # noqa: BLE001 - it becomes every caller's answer
        if len(operations) == 1 or is_busy(error):
            return [Failed(error) for _ in operations]
    return [commit(connection, [operation])[0] for operation in operations]


def _commit_together(connection: sqlite3.Connection, operations: Sequence[Operation]) -> list[Outcome]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        outcomes = [_attempt(connection, operation) for operation in operations]
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return outcomes


def _attempt(connection: sqlite3.Connection, operation: Operation) -> Outcome:
    connection.execute("SAVEPOINT operation")
    try:
        value = operation(connection)
    except Exception as error:
        if not connection.in_transaction:
            raise
        connection.execute("ROLLBACK TO operation")
        connection.execute("RELEASE operation")
        return Failed(error)
    connection.execute("RELEASE operation")
    return Done(value)
