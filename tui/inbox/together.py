"""One answer for all that ask the same: only for those that were shown whole, each as it is asked now."""

from __future__ import annotations

from collections.abc import Iterable

from core.conversation.feed import Notification
from tui.inbox.likeness import Group


class Together:
    """`wanted`: the next answer is to go to all that ask the same as what is shown."""

    def __init__(self) -> None:
        self.wanted = False
        self._seen: dict[int, str] = {}

    @property
    def seen(self) -> Iterable[int]:
        """The numbers of those that were shown whole."""
        return self._seen

    def saw(self, notification_id: int, shown_hash: str) -> None:
        """All of one was on the screen."""
        self._seen[notification_id] = shown_hash

    def pending(self, pending: Iterable[Notification]) -> None:
        """These wait: what was seen of others, or of what was asked before, does not count."""
        self._seen = {one.id: one.shown_hash for one in pending if self._was_seen(one)}

    def possible(self, group: Group | None) -> bool:
        """Are there several, each of which was shown?"""
        return group is not None and len(group.members) > 1 and all(map(self._was_seen, group.members))

    def toggle(self, group: Group | None) -> None:
        """Want it, where it is possible; or no more."""
        self.wanted = not self.wanted and self.possible(group)

    def take(self, group: Group | None) -> dict[int, str]:
        """Those that the answer goes to, with the hash of what was shown; it is wanted no more."""
        wanted, self.wanted = self.wanted, False
        if not wanted or group is None or not self.possible(group):
            return {}
        return {member.id: member.shown_hash for member in group.members}

    def position(self, notification: Notification | None, group: Group | None) -> str:
        """Which of those that ask the same it is, in words; "" where it is alone."""
        if notification is None or group is None or len(group.members) == 1:
            return ""
        if self.wanted:
            return f"your answer goes to all {len(group.members)}"
        return f"{group.members.index(notification) + 1} of {len(group.members)} that ask the same"

    def _was_seen(self, notification: Notification) -> bool:
        return self._seen.get(notification.id) == notification.shown_hash
