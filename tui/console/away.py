"""The console for who is not looking at it: what happens is told by the terminal, and its title says what waits."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from tui.away import Away, News
from tui.console.ability import Ability

if TYPE_CHECKING:
    from core.conversation.feed import FeedEvent
    from core.settings import Settings


class TellingAway(Ability):
    """Hears everything that the engine tells, of every conversation."""

    _away: Away | None = None
    _stop_hearing: Callable[[], None] | None = None

    def opened(self) -> None:
        session = self.console.session
        assert session is not None
        self._away = Away(os.environ, self.console.quarterdeck.write_terminal)
        self._ran: dict[str, str] = {}
        self._asked: set[int] = set()
        self._stop_hearing = session.engine.feed.listen(self._hear_news)

    def focus_changed(self, focused: bool) -> None:
        if self._away is not None:
            self._away.focused = focused

    def pressed(self) -> None:
        """A key was pressed, wherever."""
        if self._away is not None:
            self._away.pressed()

    def give_title_back(self) -> None:
        """However the console ends, the terminal has its title back."""
        if self._away is not None:
            self._away.close()

    async def close(self) -> None:
        if self._stop_hearing is not None:
            self._stop_hearing()
        self.give_title_back()

    def settings_changed(self, settings: Settings) -> None:
        if self._away is not None:
            self._away.use(settings.away)
        self._show_title()

    def thread_shown(self) -> None:
        self._show_title()

    def _show_title(self) -> None:
        if self._away is not None and self.desk is not None:
            here, elsewhere = self.desk.pending()
            self._away.show_title(len(here) + len(elsewhere), self._named(self.desk.current.id))

    def _named(self, conversation_id: str | None) -> str:
        return self.desk.title_of(conversation_id) if self.desk is not None else ""

    def _hear_news(self, event: FeedEvent) -> None:
        """On the event loop, at once. Never waits."""
        from core.conversation.feed import NotificationChanged, NotificationState, Reminder, StateChanged

        if self._away is None:
            return
        if isinstance(event, NotificationChanged):
            notification = event.notification
            fresh = notification.id not in self._asked
            if notification.state is NotificationState.PENDING and fresh:
                self._asked.add(notification.id)
                self._away.tell(News.NEEDS_YOU, self._named(notification.conversation_id))
        elif isinstance(event, Reminder):
            self._away.tell(News.NEEDS_YOU, self._named(event.notification.conversation_id))
        elif isinstance(event, StateChanged):
            before = self._ran.get(event.conversation_id, "")
            now = self._ran[event.conversation_id] = event.state.status.value
            if before == "running" and now in ("idle", "stalled"):
                news = News.DONE if now == "idle" else News.FAILED
                self._away.tell(news, self._named(event.conversation_id))
