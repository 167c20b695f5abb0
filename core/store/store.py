"""The store: one database and its families of tables, and the images of messages beside it."""

from __future__ import annotations

from pathlib import Path

from core.store.changes import Changes
from core.store.clock import Clock, wall_clock
from core.store.conversations import Conversations
from core.store.database import Database
from core.store.drafts import Drafts
from core.store.images import Images
from core.store.imports import Imports
from core.store.knowledge import Knowledge
from core.store.leases import Leases
from core.store.ledger import Ledger
from core.store.marks import Marks
from core.store.notifications import Notifications
from core.store.opening import StoreReport, lock_folder
from core.store.operations import Operations
from core.store.records import Records
from core.store.rules import Rules
from core.store.said import Said
from core.store.seen import Seen
from core.store.sessions.source import SessionSource
from core.store.streams import Streams
from core.store.transfer import Transfer
from core.store.workspaces import Workspaces


class Store:
    """Made by `open`; ended by `close`."""

    def __init__(self, database: Database, console: str, clock: Clock) -> None:
        self.database = database
        self.workspaces = Workspaces(database)
        self.conversations = Conversations(database, clock)
        self.records = Records(database, clock)
        self.said = Said(database)
        self.seen = Seen(database)
        self.streams = Streams(database)
        self.notifications = Notifications(database, clock)
        self.ledger = Ledger(database, clock)
        self.rules = Rules(database, clock)
        self.operations = Operations(database, clock)
        self.drafts = Drafts(database, clock)
        self.images = Images(database.path)
        self.knowledge = Knowledge(database, clock)
        self.imports = Imports(database, clock)
        self.transfer = Transfer(database, clock)
        self.marks = Marks(database, clock)
        self.session_source = SessionSource(database)
        self.leases = Leases(database.path, lock_folder(database.path), console, clock)
        self.changes = Changes(database)

    @classmethod
    async def open(cls, path: Path, *, console: str = "", clock: Clock = wall_clock) -> Store:
        """Open the database at `path`, or make it; `console` names this console to others.

        `report` says what happened. Raises as `Database.open` does.
        """
        return cls(await Database.open(path, clock=clock), console, clock)

    @property
    def report(self) -> StoreReport:
        """What happened at open; its `sentence` is to be shown."""
        return self.database.report

    async def close(self) -> None:
        """Write what waits, then let go of the file and of every lease. May be called again."""
        self.changes.close()
        try:
            await self.database.close()
        finally:
            self.leases.release_all()
