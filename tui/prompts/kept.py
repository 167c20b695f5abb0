"""What was put into prompts that are away: one for all screens, so that it is there wherever the request is shown next."""

from __future__ import annotations

from typing import Any

from core.conversation.feed import Notification
from core.conversation.unsettled import PERSON
from tui.prompts.filled import Filled
from tui.prompts.prompt import Prompt


class Kept:
    """By the numbers of the requests. It is kept as long as just this is asked."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Notification, Filled]] = {}

    def keep(self, notification: Notification, filled: Filled) -> None:
        """The prompt of a request goes away, or something lies over it."""
        self._kept[notification.id] = notification, filled

    def take(self, notification_id: int) -> Filled | None:
        """What was put in, for the prompt that is put up now."""
        _, filled = self._kept.pop(notification_id, (None, None))
        return filled

    def asked_in(self, conversation_id: str | None) -> list[int]:
        """Requests of a conversation, or of none, of which something is kept."""
        return [id_ for id_, (one, _) in self._kept.items() if one.conversation_id in (None, conversation_id)]

    def give_back_unless(self, notification_id: int, asked: Notification | None) -> str:
        """What was written for something else than what is asked under this number now (None: nothing); else ""."""
        if notification_id not in self._kept:
            return ""
        kept, filled = self._kept[notification_id]
        if asked is not None and asked.shown_hash == kept.shown_hash:
            return ""
        del self._kept[notification_id]
        return "\n".join(filled.words)

    def written(self) -> list[tuple[str | None, str]]:
        """All that was written: the conversation, and the text."""
        return [
            (one.conversation_id, "\n".join(filled.words))
            for one, filled in self._kept.values()
            if filled.words
        ]


def decided_in(prompt: Prompt[Any], settled: Notification) -> bool:
    """Was what was put in sent: did the person decide in this prompt, or make a rule from it that did?"""
    return prompt.deciding or (prompt.ruling and settled.decided_by == PERSON)
