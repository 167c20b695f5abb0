from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.agent.events import Channel
from core.agent.items import AgentMessage, CommandRun, Plan, Reasoning, Status
from core.thread.boxes import TOOL_RETURN, BoxId, ChatBox
from tests.tui.transcript.drawn import draw, row_text
from tests.tui.transcript.gallery import Log, gallery
from tui.transcript.document import Document
from tui.transcript.entries import Entry
from tui.transcript.reading import Ran, Said, Thought, Unread, Written, read


def shape(document: Document) -> list[tuple[int, ...]]:
    """The boxes that each entry is made of."""
    return [
        (entry.box.id if entry.box is not None else 0, *(follower.id for follower in entry.followers))
        for entry in document.entries()
    ]


def folded_at_once(boxes: list[ChatBox]) -> Document:
    document = Document()
    for box in boxes:
        document.add_boxes([box])
    return document


def consistent(document: Document) -> None:
    """Orders rise, and each entry is found where it is."""
    entries = document.entries()
    assert [entry.order for entry in entries] == sorted({entry.order for entry in entries})
    for index, entry in enumerate(entries):
        assert document.index(entry) == index
        assert document[index] is entry


@st.composite
def logs(draw: st.DrawFn) -> list[ChatBox]:
    """Conversations in which calls overlap: their messages and returns come in any order, or never."""
    log = Log()
    open_calls: list[ChatBox] = []
    for _ in range(draw(st.integers(1, 25))):
        step = draw(st.sampled_from(["user", "message", "notice", "call", "progress", "return"]))
        if step == "user":
            log.user("hello")
        elif step == "message":
            log.message("text")
        elif step == "notice":
            log.notice("info", "note")
        elif step == "call":
            run = CommandRun(id=f"run-{len(log.boxes)}", command="ls", cwd="/", status=Status.RUNNING)
            open_calls.append(log.call(run, "command"))
        elif open_calls:
            call = draw(st.sampled_from(open_calls))
            if step == "progress":
                log.progress(call, "working")
            else:
                open_calls.remove(call)
                log.returned(call, None, "out")
    return log.boxes


@given(logs(), st.data())
def test_however_boxes_are_cut_into_pages_the_entries_are_the_same(
    boxes: list[ChatBox], data: st.DataObject
) -> None:
    whole = shape(folded_at_once(boxes))
    begin = data.draw(st.integers(0, len(boxes)))
    document = Document()
    position = begin
    while position < len(boxes):
        end = data.draw(st.integers(position + 1, len(boxes)))
        document.add_boxes(boxes[position:end])
        position = end
        if data.draw(st.booleans()):
            document.entries()
    while begin > 0:
        start = data.draw(st.integers(0, begin - 1))
        document.prepend_boxes(boxes[start:begin])
        begin = start
        consistent(document)
    assert shape(document) == whole


@given(logs(), st.data())
def test_boxes_that_were_seen_already_change_nothing(boxes: list[ChatBox], data: st.DataObject) -> None:
    document = Document()
    document.add_boxes(boxes)
    before = shape(document)
    document.take_changes()
    document.add_boxes(boxes[data.draw(st.integers(0, len(boxes))) :])
    document.prepend_boxes(boxes[: data.draw(st.integers(0, len(boxes)))])
    assert shape(document) == before
    assert not document.take_changes()


@given(
    st.permutations(["a", "b", "c"]), st.lists(st.sampled_from(["a", "b", "c"]), unique=True), st.booleans()
)
def test_a_live_item_whose_box_comes_is_that_boxes_entry(
    started: list[str], dropped: list[str], boxes_late: bool
) -> None:
    """Whatever streamed before, and in whatever order boxes come, in the end only boxes count."""
    log = Log()
    document = Document()
    document.add_boxes([log.user("go")])
    live: dict[str, Entry] = {}
    for name in started:
        document.item_started(AgentMessage(id=name, text=""))
        document.delta(name, Channel.MESSAGE, f"text of {name}")
        live[name] = document[len(document) - 1]
        if not boxes_late and name not in dropped:
            document.add_boxes([log.message(f"text of {name}", item_id=name)])
        consistent(document)
    document.add_boxes([log.notice("info", "meanwhile")])
    for name in sorted(started):
        if name in dropped:
            document.drop_live(name)
        elif boxes_late:
            document.add_boxes([log.message(f"text of {name}", item_id=name)])
        consistent(document)
    assert shape(document) == shape(folded_at_once(log.boxes))
    for name, entry in live.items():
        if name not in dropped:
            assert entry in document.entries()
            assert read(entry) == Written(f"text of {name}")


def test_a_live_message_reads_as_its_text_so_far() -> None:
    document = Document()
    document.item_started(AgentMessage(id="m", text="Once "))
    document.delta("m", Channel.MESSAGE, "upon ")
    document.delta("m", Channel.MESSAGE, "a time")
    assert read(document[0]) == Written("Once upon a time", live=True)


def test_reasoning_parts_stay_apart_whatever_order_they_come_in() -> None:
    document = Document()
    document.item_started(Reasoning(id="r", summary=("One",)))
    document.delta("r", Channel.SUMMARY, "Two", part=1)
    document.delta("r", Channel.SUMMARY, ", still", part=0)
    document.delta("r", Channel.REASONING, "raw")
    assert read(document[0]) == Thought(("One, still", "Two"), ("raw",), live=True)


def test_an_item_that_is_told_again_starts_over() -> None:
    document = Document()
    for _ in range(2):
        document.item_started(Plan(id="p", text=""))
        document.delta("p", Channel.PLAN, "the plan")
    assert len(document) == 1
    assert read(document[0]).text == "the plan"  # type: ignore[union-attr]


def test_an_item_whose_box_is_there_does_not_start_again() -> None:
    log = Log()
    document = Document()
    document.add_boxes([log.message("done", item_id="m")])
    document.item_started(AgentMessage(id="m", text=""))
    document.delta("m", Channel.MESSAGE, "late")
    assert [read(entry) for entry in document.entries()] == [Written("done")]


def test_a_running_command_shows_what_it_prints_until_its_return_says_better() -> None:
    log = Log()
    run = CommandRun(id="run", command="make", cwd="/", status=Status.RUNNING)
    call = log.call(run, "command")
    document = Document()
    document.add_boxes(log.boxes)
    document.delta("run", Channel.OUTPUT, "compiling\n")
    document.delta("run", Channel.OUTPUT, "linking\n")
    content = read(document[0])
    assert isinstance(content, Ran)
    assert (content.output.head, content.run.status) == ("compiling\nlinking\n", Status.RUNNING)
    ended = run.model_copy(update={"status": Status.DONE, "exit_code": 0})
    document.add_boxes([log.returned(call, ended, "all of it")])
    document.delta("run", Channel.OUTPUT, "too late")
    content = read(document[0])
    assert isinstance(content, Ran)
    assert (content.output.head, content.run.exit_code) == ("all of it", 0)
    assert len(document) == 1


def test_a_live_action_keeps_its_output_when_its_call_is_recorded() -> None:
    log = Log()
    run = CommandRun(id="run", command="make", cwd="/", status=Status.RUNNING)
    document = Document()
    document.item_started(run)
    document.delta("run", Channel.OUTPUT, "compiling\n")
    document.add_boxes([log.call(run, "command")])
    document.delta("run", Channel.OUTPUT, "linking\n")
    content = read(document[0])
    assert isinstance(content, Ran)
    assert content.output.head == "compiling\nlinking\n"


def test_a_call_whose_return_names_no_item_still_ends() -> None:
    log = Log()
    call = log.command("make", status=Status.RUNNING)
    log.returned(call, None, "outcome unknown", success=False)
    document = Document()
    document.add_boxes(log.boxes)
    content = read(document[0])
    assert isinstance(content, Ran)
    assert (content.run.status, content.output.head) == (Status.FAILED, "outcome unknown")


def test_waiting_messages_stand_at_the_end_and_become_their_boxes_in_place() -> None:
    log = Log()
    document = Document()
    document.set_outbox([("k1", "first", "accepted"), ("k2", "second", "accepted")])
    document.item_started(AgentMessage(id="m", text="busy"))
    texts = [read(entry).text for entry in document.entries()]  # type: ignore[union-attr]
    assert texts == ["busy", "first", "second"]
    first = document[1]
    document.add_boxes([log.user("first", key="k1")])
    assert document[0] is first
    assert read(first) == Said("first", state="accepted")
    document.set_outbox([("k2", "second", "sent")])
    assert read(first) == Said("first")
    assert read(document[2]) == Said("second", state="sent")
    document.set_outbox([])
    assert len(document) == 2
    consistent(document)


def test_a_message_whose_box_came_first_is_marked_there() -> None:
    log = Log()
    document = Document()
    document.add_boxes([log.user("hello", key="k1")])
    document.set_outbox([("k1", "hello", "sent")])
    assert [read(entry) for entry in document.entries()] == [Said("hello", state="sent")]
    document.set_outbox([])
    assert [read(entry) for entry in document.entries()] == [Said("hello")]


def test_a_return_that_names_no_call_is_shown_by_itself() -> None:
    damaged = ChatBox(BoxId(2), TOOL_RETURN, "out", "result", "{broken")
    log = Log()
    document = Document()
    document.add_boxes([log.user("go"), damaged])
    content = read(document[1])
    assert isinstance(content, Unread)
    assert (content.text, content.raw) == ("out", "{broken")
    assert content.why


def test_boxes_of_a_later_version_are_kept_as_they_are() -> None:
    document = Document()
    document.add_boxes([ChatBox(BoxId(1), "hologram", "seen from the left", "light", '{"hue": 3}')])
    assert read(document[0]) == Unread("hologram", "seen from the left", '{"hue": 3}')


def test_changes_say_what_happened_since_they_were_taken() -> None:
    log = Log()
    document = Document()
    boxes = [log.user("one"), log.message("two", item_id="m"), log.notice("info", "three")]
    document.add_boxes(boxes[1:])
    changes = document.take_changes()
    assert (changes.appended, changes.prepended, changes.tail) == (2, 0, False)
    document.prepend_boxes(boxes[:1])
    document.item_started(AgentMessage(id="live", text=""))
    changes = document.take_changes()
    assert (changes.appended, changes.prepended, changes.tail) == (0, 1, True)
    entry = document[3]
    document.delta("live", Channel.MESSAGE, "x")
    assert document.take_changes().in_place
    order = entry.order
    document.add_boxes([log.message("x", item_id="live")])
    changes = document.take_changes()
    assert changes.moved == {entry: order}
    assert changes.redrawn == {entry}
    assert not document.take_changes()


def test_every_kind_of_box_can_be_read() -> None:
    document = Document()
    document.add_boxes(gallery())
    unread = [read(entry) for entry in document.entries() if isinstance(read(entry), Unread)]
    assert unread == []


def test_folding_is_a_change_once() -> None:
    document = Document()
    document.add_boxes(gallery())
    entry = document[1]
    document.take_changes()
    document.fold(entry, False)
    assert (entry.folded, document.take_changes().redrawn) == (False, {entry})
    document.fold(entry, False)
    assert not document.take_changes()


def test_a_command_that_waits_for_a_word_says_so_until_it_is_decided() -> None:
    log, document = Log(), Document()
    log.call(CommandRun(id="touch", command="touch x", cwd="/", status=Status.RUNNING), "command")
    document.set_asked(frozenset({"touch"}))
    document.add_boxes(log.boxes)
    (entry,) = document.entries()
    content = read(entry)
    assert isinstance(content, Ran) and content.asked
    assert "? waits for you" in row_text(draw(entry).rows[0])
    document.take_changes()
    document.set_asked(frozenset())
    assert document.take_changes().redrawn == {entry}
    assert "◌ running" in row_text(draw(entry).rows[0])


def test_a_command_that_is_over_waits_for_nobody() -> None:
    log, document = Log(), Document()
    run = CommandRun(id="touch", command="touch x", cwd="/", status=Status.RUNNING)
    call = log.call(run, "command")
    document.add_boxes(log.boxes)
    document.set_asked(frozenset({"touch"}))
    (entry,) = document.entries()
    log.returned(call, run.model_copy(update={"status": Status.DECLINED}))
    document.add_boxes(log.boxes)
    assert "⊘ declined" in row_text(draw(entry).rows[0])
