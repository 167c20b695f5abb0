"""Who may write a conversation: we, unless it is closed or another program has its thread."""

from __future__ import annotations

from core.conversation.feed import ConversationsChanged, Feed
from core.conversation.hierarchy import Level
from core.errors import Closed, Conflict


class Guard:
    """`writer`: who else writes it, in words; "" where we do. One that is there at the start stays for good."""

    def __init__(self, level: Level, feed: Feed, writer: str) -> None:
        self.writer = writer
        self.detached = False
        self._only_read = bool(writer)
        self._level = level
        self._feed = feed

    def require_writer(self) -> None:
        """Raises Conflict where another program writes it."""
        if self.writer:
            raise Conflict(
                "This conversation is only read here", why=f"{self.writer} writes it", todo="Say it there."
            )

    def require_open(self) -> None:
        """Raises Closed too."""
        self.require_writer()
        self._level.ensure_open()
        if self.detached:
            raise Closed("This conversation is closed", todo="Open it again.")

    def written_elsewhere(self, writer: str) -> None:
        """Another process writes the thread, or none does any more ("")."""
        if not self._only_read and writer != self.writer:
            self.writer = writer
            self._feed.tell(ConversationsChanged())
