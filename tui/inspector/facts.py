"""What the inspector shows, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tui.inspector.following import Seen

if TYPE_CHECKING:
    from core.agent.events import RateLimits
    from core.conversation.choosing import Selected
    from core.conversation.feed import DiffChanged, PlanChanged, UsageChanged


@dataclass(frozen=True, slots=True)
class Facts:
    """Of the current conversation; None where nothing is known. `seen` None: the folder is being read."""

    folder: Path
    plan: PlanChanged | None = None
    diff: DiffChanged | None = None
    usage: UsageChanged | None = None
    limits: RateLimits | None = None
    selected: Selected | None = None
    seen: Seen | None = None
