"""Answers that were on the screen: what of them a console owes for good."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from core.conversation.streams import UNSEEN
from core.thread.boxes import ASSISTANT, ChatBox, ItemMeta, hidden_of

GAP = f"\n\n{UNSEEN}\n\n"


def answers(boxes: Iterable[ChatBox]) -> dict[str, str]:
    """The recorded answers, by Codex's ids of them."""
    metas = ((box, hidden_of(box)) for box in boxes if box.box_type == ASSISTANT)
    return {meta.item_id: box.contents for box, meta in metas if isinstance(meta, ItemMeta)}


class Owed:
    """By Codex's id of an answer: the text of it that is known to be on disk."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = defaultdict(str)
        self.checked_streaming = 0
        """How often an answer that is owed was found still streaming."""

    def add(self, item_id: str, text: str) -> None:
        self._texts[item_id] += text

    def missing(self, streaming: Mapping[str, str], recorded: Mapping[str, str]) -> list[str]:
        """What is owed and neither stands at the beginning of what streams nor in what is recorded, a line each.

        Codex's whole text stands for all that was shown of it; the gaps in that are ours.
        """
        problems: list[str] = []
        for item_id, text in self._texts.items():
            self.checked_streaming += item_id in streaming
            whole = recorded.get(item_id, "")
            if not streaming.get(item_id, "").startswith(text) and not _holds(whole, text):
                problems.append(f"{len(text)} characters of answer {item_id} were shown and are not there")
        return problems


def _holds(whole: str, text: str) -> bool:
    """Are the pieces between the gaps there, in their order?"""
    at = 0
    for piece in text.split(GAP):
        at = whole.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True
