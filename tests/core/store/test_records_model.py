"""The log against a list: whatever is asked of it, in whatever order, it holds what a list would hold."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from core.errors import InvalidState, SequenceConflict
from core.store.store import Store
from core.thread.boxes import BoxId, ChatBox
from core.thread.records import BoxRecord, EventRecord, Record
from tests.core.store.helpers import add_conversations

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
CONVERSATION = st.sampled_from(["c", "d"])


class LogMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory(prefix="quarterdeck-")
        self.path = Path(self.folder.name) / "quarterdeck.sqlite3"
        self.store = self.runner.run(Store.open(self.path))
        self.runner.run(add_conversations(self.store, "c", "d"))
        self.model: dict[str, list[Record]] = {"c": [], "d": []}

    def boxes_of(self, conversation: str) -> list[ChatBox]:
        return [record.box for record in self.model[conversation] if isinstance(record, BoxRecord)]

    def next_record(self, log: list[Record], contents: str | None, anchor: int) -> Record:
        ids = [record.box.id for record in log if isinstance(record, BoxRecord)]
        if contents is not None:
            return BoxRecord(ChatBox(BoxId(len(ids) + 1), "user", contents, "input", contents))
        after = anchor % (len(ids) + 1)
        index = 1 + sum(isinstance(record, EventRecord) and record.after_box_id == after for record in log)
        return EventRecord(after, index, "seen", "{}")

    @rule(
        conversation=CONVERSATION, drawn=st.lists(st.tuples(st.none() | TEXT, st.integers(0, 50)), max_size=6)
    )
    def append(self, conversation: str, drawn: list[tuple[str | None, int]]) -> None:
        log = self.model[conversation]
        expected, new = len(log), []
        for contents, anchor in drawn:
            new.append(self.next_record([*log, *new], contents, anchor))
        assert self.runner.run(self.store.records.append(conversation, expected, new)) == expected + len(new)
        log.extend(new)

    @rule(conversation=CONVERSATION, off=st.integers(-3, 3).filter(bool), contents=TEXT)
    def append_elsewhere(self, conversation: str, off: int, contents: str) -> None:
        log = self.model[conversation]
        new = self.next_record(log, contents, 0)
        try:
            self.runner.run(self.store.records.append(conversation, len(log) + off, [new]))
        except SequenceConflict:
            return
        raise AssertionError("a wrong place was accepted")

    @rule(conversation=CONVERSATION, off=st.integers(-3, 3).filter(bool))
    def append_misnumbered(self, conversation: str, off: int) -> None:
        number = len(self.boxes_of(conversation)) + 1 + off
        new = BoxRecord(ChatBox(BoxId(number), "user", ""))
        try:
            self.runner.run(self.store.records.append(conversation, len(self.model[conversation]), [new]))
        except InvalidState:
            return
        raise AssertionError("a wrong number was accepted")

    @rule(conversation=CONVERSATION, after=st.integers(0, 40))
    def read_from(self, conversation: str, after: int) -> None:
        records = self.runner.run(self.store.records.read(conversation, after))
        assert records == self.model[conversation][after:]

    @rule(conversation=CONVERSATION, before=st.none() | st.integers(1, 30), limit=st.integers(1, 10))
    def read_tail(self, conversation: str, before: int | None, limit: int) -> None:
        boxes = [box for box in self.boxes_of(conversation) if before is None or box.id < before]
        assert self.runner.run(self.store.records.tail_boxes(conversation, before, limit)) == boxes[-limit:]

    @rule()
    def reopen(self) -> None:
        self.runner.run(self.store.close())
        self.store = self.runner.run(Store.open(self.path))
        assert self.store.report.sentence == ""

    @invariant()
    def every_log_is_the_list(self) -> None:
        for conversation, log in self.model.items():
            assert self.runner.run(self.store.records.read(conversation)) == log
            assert self.runner.run(self.store.records.last_seq(conversation)) == len(log)

    def teardown(self) -> None:
        self.runner.run(self.store.close())
        self.runner.close()
        self.folder.cleanup()


LogMachine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestLog = LogMachine.TestCase
