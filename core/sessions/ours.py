"""Our own conversations into the index: what changed since the last look, a small batch at a time."""

from __future__ import annotations

from core.sessions.rows import PAGE_OF_TEXTS, BoxMark, ConversationFacts
from core.sessions.texts import decision_text, texts_of_box
from core.store.marks import Marks
from core.store.sessions.index import SessionIndex
from core.store.sessions.source import SessionSource

CONVERSATIONS_AT_ONCE = 200


class OwnConversations:
    """Reads the store, writes the index; never the store."""

    def __init__(self, source: SessionSource, marks: Marks, index: SessionIndex) -> None:
        self._source = source
        self._marks = marks
        self._index = index

    async def take_over_marks(self) -> None:
        """Pins and tags, which an index that was made anew does not know. Raises StoreError, Closed."""
        for marks in await self._marks.all():
            await self._index.note_marks(marks)

    async def catch_up(self) -> bool:
        """Whether anything had changed. Raises StoreError, Closed."""
        changed = False
        while True:
            after = await self._index.watermark("conversations")
            rows = await self._source.conversations_after(after, CONVERSATIONS_AT_ONCE)
            if not rows:
                break
            changed = True
            for facts in rows:
                await self._take(facts)
            # Only now: who is killed before this looks at them again.
            await self._index.passed("conversations", rows[-1].recency)
        return await self._take_decisions() or changed

    async def _take(self, facts: ConversationFacts) -> None:
        noted = await self._index.note_conversation(facts)
        if noted is None:
            return
        session, seq = noted
        while True:
            recorded = await self._source.boxes_after(facts.conversation_id, seq, PAGE_OF_TEXTS)
            if recorded.seq == seq:
                return
            texts = [text for at_ms, box in recorded.boxes for text in texts_of_box(box, at_ms)]
            await self._index.add_texts(session, texts, BoxMark(recorded.seq, recorded.bytes))
            seq = recorded.seq

    async def _take_decisions(self) -> bool:
        taken = False
        while True:
            after = await self._index.watermark("decisions")
            decisions = await self._source.decisions_after(after, PAGE_OF_TEXTS)
            if not decisions:
                return taken
            taken = True
            texts = [
                (one.conversation_id, decision_text(one.id, one.content, one.answer, one.at_ms))
                for one in decisions
            ]
            await self._index.add_decisions(texts, decisions[-1].id)
