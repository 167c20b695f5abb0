"""What waits, in the order in which it is shown: the longest first, what asks the same together. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from core.agent.requests import (
    CommandApproval,
    FileApproval,
    McpForm,
    McpLink,
    OtherRequest,
    PermissionsApproval,
    Question,
    Request,
    ToolRequest,
)
from core.conversation.feed import Notification
from tui.prompts.words import inner_command

_WHOSE = {"key", "thread_id", "turn_id", "item_id", "asked_at_ms"}
"""What says who asks, and nothing of what is asked."""


@dataclass(frozen=True, slots=True)
class Group:
    """Requests that ask exactly the same, the longest waiting first. `snoozed`: all of them are put off."""

    members: tuple[Notification, ...]
    snoozed: bool = False

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(member.id for member in self.members)


@dataclass(frozen=True, slots=True)
class Groups:
    """All that waits, in the order in which it is shown."""

    groups: tuple[Group, ...] = ()

    def get(self, notification_id: int | None) -> Notification | None:
        members = (member for group in self.groups for member in group.members)
        return next((member for member in members if member.id == notification_id), None)

    def of(self, notification: Notification | None) -> Group | None:
        """Those that ask the same as it."""
        if notification is None:
            return None
        return next((group for group in self.groups if notification.id in group.ids), None)

    def after(self, notification: Notification | None) -> int | None:
        """The id of the next one, after the last the first; None where nothing waits."""
        ids = [member.id for group in self.groups for member in group.members]
        if not ids:
            return None
        place = ids.index(notification.id) + 1 if notification is not None and notification.id in ids else 0
        return ids[place % len(ids)]


def grouped(pending: Iterable[Notification]) -> tuple[Group, ...]:
    """The groups by the age of their oldest; what is put off comes after all the others."""
    found: dict[tuple[bool, str], list[Notification]] = {}
    for notification in sorted(pending, key=lambda one: (one.snoozed, one.raised_at_ms, one.id)):
        alike = (notification.snoozed, likeness(notification))
        found.setdefault(alike, []).append(notification)
    return tuple(Group(tuple(members), snoozed) for (snoozed, _), members in found.items())


def likeness(notification: Notification) -> str:
    """The same for two that ask exactly the same with the same to be careful about, whoever asks."""
    asked = notification.request.model_dump(mode="json", exclude=_WHOSE)
    return json.dumps(
        [asked, notification.sandbox, notification.cautions, notification.unsure], sort_keys=True
    )


def summary(request: Request) -> str:
    """What is asked, as one line of raw text."""
    match request:
        case CommandApproval(stdin=True):
            return f"type {request.command}"
        case CommandApproval():
            return f"$ {inner_command(request.command)}"
        case FileApproval():
            names = ", ".join(change.path.rpartition("/")[2] for change in request.changes)
            return f"change {names or 'files'}"
        case PermissionsApproval():
            return "rights: " + ", ".join(right.label for right in request.rights)
        case Question():
            return "? " + "; ".join(part.text for part in request.parts)
        case McpForm():
            return f"{request.server}: {request.message}"
        case McpLink():
            return f"{request.server}: {request.message} {request.url}"
        case ToolRequest():
            return f"tool {request.tool} {request.arguments}"
        case OtherRequest():
            return request.method
