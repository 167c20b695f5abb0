"""What a prompt tells the screen that it is on."""

from __future__ import annotations

from textual.message import Message

from core.agent.requests import Answer
from core.conversation.feed import Notification


class Tells:
    """The messages of every prompt: heard as `on_prompt_…`."""

    class Decided(Message, namespace="prompt"):
        """The person's decision on exactly what `shown_hash` stands for."""

        def __init__(self, notification_id: int, answer: Answer, shown_hash: str) -> None:
            super().__init__()
            self.notification_id = notification_id
            self.answer = answer
            self.shown_hash = shown_hash

    class SeenWhole(Message, namespace="prompt"):
        """All that is to be judged was on the screen, as `shown_hash` stands for it."""

        def __init__(self, notification_id: int, shown_hash: str) -> None:
            super().__init__()
            self.notification_id = notification_id
            self.shown_hash = shown_hash

    class Left(Message, namespace="prompt"):
        """The person wants to go on with something else; nothing is decided."""

    class Postponed(Message, namespace="prompt"):
        """Not now: it stays pending."""

        def __init__(self, notification_id: int) -> None:
            super().__init__()
            self.notification_id = notification_id

    class RuleWanted(Message, namespace="prompt"):
        """The person wants to make a rule of it; nothing is decided."""

        def __init__(self, notification: Notification) -> None:
            super().__init__()
            self.notification = notification

    class Interrupted(Message, namespace="prompt"):
        """Stop the turn that asks, without an answer."""

        def __init__(self, conversation_id: str | None) -> None:
            super().__init__()
            self.conversation_id = conversation_id
