"""The conversations in the groups that the list shows. Pure, but for the zone in which a day begins."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from tui.transcript import safe

if TYPE_CHECKING:
    from core.conversation.info import ConversationInfo

GroupName = Literal["needs you", "running", "today", "earlier"]
GROUPS: tuple[GroupName, ...] = ("needs you", "running", "today", "earlier")

TITLE = 120
MOST_COUNTED = 9
"""Requests of one conversation that are counted in the list."""


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation in the list. `mark` says its state without colour; `folder` where it is another's.

    `unread`: something came there since one left it.
    """

    id: str
    mark: str
    title: str
    folder: str
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    name: GroupName
    rows: tuple[Row, ...]


def grouped(
    infos: Iterable[ConversationInfo],
    here: str,
    now_ms: int,
    zone: tzinfo | None = None,
    unread: Collection[str] = (),
) -> tuple[Group, ...]:
    """The groups that are not empty, each in the order given. `here` is the folder that goes without saying."""
    rows: dict[GroupName, list[Row]] = {name: [] for name in GROUPS}
    for info in infos:
        rows[_group(info, now_ms, zone)].append(_row(info, here, info.id in unread))
    return tuple(Group(name, tuple(found)) for name, found in rows.items() if found)


def _group(info: ConversationInfo, now_ms: int, zone: tzinfo | None) -> GroupName:
    if info.pending or info.state == "stalled":
        return "needs you"
    if info.state == "running":
        return "running"
    return "today" if _day(info.updated_at_ms, zone) >= _day(now_ms, zone) else "earlier"


def _day(at_ms: int, zone: tzinfo | None) -> tuple[int, int, int]:
    at = datetime.fromtimestamp(at_ms / 1000, zone)
    return at.year, at.month, at.day


def _row(info: ConversationInfo, here: str, unread: bool) -> Row:
    mark = {"stalled": "!", "running": "▸"}.get(info.state, "•" if unread else "")
    if info.pending:
        mark = "?" if info.pending == 1 else f"?{min(info.pending, MOST_COUNTED)}"
    folder = "" if info.path == here else safe.line(PurePath(info.path).name or info.path, 30)
    return Row(info.id, mark, safe.line(info.title, TITLE) or "New conversation", folder, unread)
