"""How many requests wait for a person, on the screens that lie over the console."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

if TYPE_CHECKING:
    from core.conversation.feed import FeedEvent
    from core.engine import Engine


class WaitingCount(Widget):
    """Stands in the upper right corner while something waits, over whatever the screen shows there."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._count = 0

    def on_mount(self) -> None:
        self._stop_listening = self._engine.feed.listen(self._hear)
        self._look()

    def on_unmount(self) -> None:
        self._stop_listening()

    def render(self) -> Content:
        return Content(f" {self._count} {'waits' if self._count == 1 else 'wait'} for you ")

    def _hear(self, event: FeedEvent) -> None:
        from core.conversation.feed import NotificationChanged

        if isinstance(event, NotificationChanged):
            self.call_later(self._look)

    def _look(self) -> None:
        self._count = len(self._engine.pending())
        self.display = bool(self._count)
        self.refresh(layout=True)
