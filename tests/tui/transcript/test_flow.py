from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.agent.events import Channel
from core.agent.items import AgentMessage
from tests.tui.transcript.app import document_of
from tests.tui.transcript.drawn import row_text, styler
from tests.tui.transcript.gallery import Log, gallery
from tui.transcript.document import Document
from tui.transcript.drawing import Drawer
from tui.transcript.flow import KEPT_ENTRIES, Flow


def flow_of(document: Document, width: int = 60) -> Flow:
    return Flow(document, Drawer(styler).draw, width)


def all_rows(flow: Flow) -> list[str]:
    return [row_text(row) for index in range(len(flow)) for row in flow.rendered(index).rows]


def messages(count: int) -> Log:
    log = Log()
    for number in range(count):
        log.message(f"message {number}\n\n" + "more words to wrap " * (number % 7))
    return log


@given(
    st.lists(
        st.tuples(st.sampled_from(["window", "measure", "above", "end"]), st.integers(0, 300)), max_size=12
    )
)
@settings(deadline=None, max_examples=50)
def test_whatever_was_looked_at_first_the_rows_are_the_same(looks: list[tuple[str, int]]) -> None:
    flow = flow_of(document_of(gallery()))
    for look, row in looks:
        if look == "window":
            flow.window(row, 20)
        elif look == "measure":
            flow.measure(row, 20)
        elif look == "above":
            flow.measure_above(row, 20)
        else:
            flow.measure_end(20)
    rows = all_rows(flow)
    assert flow.height == len(rows)
    assert [row_text(row) for _, row in flow.window(0, len(rows))] == rows


@given(st.integers(0, 60), st.integers(1, 40))
@settings(deadline=None, max_examples=40)
def test_measuring_above_says_how_far_a_row_moved(index: int, count: int) -> None:
    flow = flow_of(document_of(messages(61).boxes))
    top = flow.top(index)
    flow.rendered(index)
    shown = row_text(flow.window(top, 1)[0][1])
    shift = flow.measure_above(top, count)
    assert row_text(flow.window(top + shift, 1)[0][1]) == shown
    assert flow.top(index) == top + shift


@given(st.integers(0, 200), st.integers(24, 100), st.integers(24, 100))
@settings(deadline=None, max_examples=40)
def test_a_place_survives_another_width(row: int, one: int, other: int) -> None:
    flow = flow_of(document_of(messages(30).boxes), one)
    flow.window(0, 500)
    anchor = flow.anchor(min(row, flow.height - 1))
    assert anchor is not None
    flow.resize(other)
    found = flow.row_of(anchor)
    assert found is not None
    entry, shown = flow.window(found, 1)[0]
    assert entry is anchor.entry
    if anchor.line >= 0:
        assert shown.line == anchor.line
        assert shown.start <= anchor.start


def test_indices_are_those_of_the_changes_that_were_applied() -> None:
    log = messages(6)
    document = document_of(log.boxes[2:])
    document.item_started(AgentMessage(id="live", text="streaming"))
    flow = flow_of(document)
    before = [flow.entry(index) for index in range(len(flow))]
    document.prepend_boxes(log.boxes[:2])
    document.add_boxes([log.notice("info", "in between"), log.message("streaming", item_id="live")])
    assert [flow.entry(index) for index in range(len(flow))] == before
    assert [flow.index(entry) for entry in before] == list(range(len(before)))
    flow.apply(document.take_changes())
    assert [flow.entry(index) for index in range(len(flow))] == list(document.entries())


def test_an_entry_that_changed_is_drawn_when_the_change_is_applied_not_before() -> None:
    document = Document()
    document.item_started(AgentMessage(id="live", text="one"))
    flow = flow_of(document)
    assert row_text(flow.rendered(0).rows[0]).strip() == "● one"
    document.delta("live", Channel.MESSAGE, " two")
    assert row_text(flow.window(0, 1)[0][1]).strip() == "● one"
    flow.apply(document.take_changes())
    assert row_text(flow.window(0, 1)[0][1]).strip() == "● one two"


def test_only_what_was_looked_at_last_is_kept() -> None:
    flow = flow_of(document_of(messages(400).boxes))
    for index in range(400):
        flow.rendered(index)
    assert not flow.is_drawn(0)
    assert sum(flow.is_drawn(index) for index in range(400)) == KEPT_ENTRIES
    flow.trim(10)
    assert sum(flow.is_drawn(index) for index in range(400)) == 10


def test_an_anchor_of_an_entry_that_is_gone_leads_nowhere() -> None:
    document = Document()
    document.item_started(AgentMessage(id="live", text="one"))
    flow = flow_of(document)
    anchor = flow.anchor(0)
    assert anchor is not None
    document.drop_live("live")
    flow.apply(document.take_changes())
    assert flow.row_of(anchor) is None
    assert flow.anchor(0) is None
    assert flow.window(0, 10) == []
