"""The patches whose approval may be asked for: the request itself has no diff (PROTOCOL, the table)."""

from __future__ import annotations

from pydantic import ValidationError

from core.agent.events import AgentEvent, ItemCompleted, ItemStarted, TurnEnded
from core.agent.items import Change, FileChange, Item, OtherItem
from core.codex.protocol.notifications import PatchUpdated
from core.codex.translate import Unreadable, to_changes

Patch = tuple[Change, ...] | None
"""What a patch changes; None for one with a change that this version does not understand."""

_FILE_CHANGE = "fileChange"


class Patches:
    """Kept from an item's start to its end, or to the end of its turn."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[str, Patch]] = {}

    def clear(self) -> None:
        self._kept.clear()

    def knows(self, thread_id: str, item_id: str) -> bool:
        return (thread_id, item_id) in self._kept

    def get(self, thread_id: str, item_id: str) -> Patch:
        """Raises KeyError for one that we never saw."""
        return self._kept[thread_id, item_id][1]

    def note(self, event: AgentEvent) -> None:
        """Keep or forget what an event says."""
        match event:
            case ItemStarted(thread_id, turn_id, item) if is_file_change(item):
                self._kept[thread_id, item.id] = (turn_id, patch_of(item))
            case ItemCompleted(thread_id, _, item):
                self._kept.pop((thread_id, item.id), None)
            case TurnEnded(thread_id, turn_id):
                for key in [k for k, kept in self._kept.items() if k[0] == thread_id and kept[0] == turn_id]:
                    del self._kept[key]
            case _:
                pass

    def update(self, params: object) -> None:
        """`item/fileChange/patchUpdated`: the patch became another one before it was asked about."""
        try:
            updated = PatchUpdated.model_validate(params)
        except ValidationError:
            return
        try:
            patch: Patch = to_changes(updated.changes)
        except Unreadable:
            patch = None
        self._kept[updated.thread_id, updated.item_id] = (updated.turn_id, patch)


def is_file_change(item: Item) -> bool:
    return isinstance(item, FileChange) or (isinstance(item, OtherItem) and item.name == _FILE_CHANGE)


def patch_of(item: Item) -> Patch:
    """The patch of an item for which `is_file_change` holds."""
    return item.changes if isinstance(item, FileChange) else None
