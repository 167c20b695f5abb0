"""Real wire logs through the translation, and what it does with what it does not know."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.agent import items as ours
from core.agent.events import (
    Channel,
    Delta,
    ItemCompleted,
    ItemStarted,
    LoginCompleted,
    Notice,
    ThreadAppeared,
    ThreadRenamed,
    ThreadStatusChanged,
    TurnEnded,
    TurnFailure,
    TurnStatus,
    UnknownEvent,
)
from core.agent.requests import OtherRequest, RequestKey, dump_request, load_request
from core.codex.events import QUIET, READERS, to_events
from core.codex.listing import to_turn
from core.codex.protocol.notifications import Turn
from core.codex.protocol.threads import ItemList, OpenedThread, ThreadList, TurnList
from core.codex.requests import READERS as REQUEST_READERS
from core.codex.requests import to_request
from core.codex.rpc import Asked, Told
from core.codex.translate import ITEMS, to_item

CAPTURES = sorted((Path(__file__).parent / "captures").glob("*.jsonl"))
KEY = RequestKey(generation="g", id=0)


def received(path: Path) -> Iterator[dict[str, Any]]:
    """What Codex sent, in order."""
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if "<" in entry:
            yield entry["<"]


def everything() -> list[dict[str, Any]]:
    return [message for path in CAPTURES for message in received(path)]


TOLD = [message for message in everything() if "method" in message and "id" not in message]
ASKED = [message for message in everything() if "method" in message and "id" in message]
ANSWERS = [message["result"] for message in everything() if isinstance(message.get("result"), dict)]


def told(message: dict[str, Any]) -> Told:
    return Told(message["method"], message.get("params"))


def asked(message: dict[str, Any]) -> Asked:
    return Asked(message["id"], message["method"], message.get("params"))


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_every_message_of_a_real_log_is_understood(path: Path) -> None:
    """Not one that we know falls back to the raw form."""
    for message in received(path):
        if "method" not in message:
            continue
        if "id" in message:
            request = to_request(asked(message), KEY)
            assert not isinstance(request, OtherRequest)
            assert load_request(dump_request(request)) == request
            continue
        for event in to_events(told(message)):
            assert not isinstance(event, UnknownEvent) or message["method"] not in READERS
            if isinstance(event, ItemStarted | ItemCompleted):
                assert not isinstance(event.item, ours.OtherItem)
                assert ours.load_item(ours.dump_item(event.item)) == event.item


def test_every_listing_of_the_real_logs_is_understood() -> None:
    understood = 0
    for answer in ANSWERS:
        if "thread" in answer and "sandbox" in answer:
            OpenedThread.model_validate(answer)
        elif answer.get("data") and "turnId" in answer["data"][0]:
            ItemList.model_validate(answer)
        elif answer.get("data") and "modelProvider" in answer["data"][0]:
            ThreadList.model_validate(answer)
        elif answer.get("data") and "itemsView" in answer["data"][0]:
            TurnList.model_validate(answer)
        else:
            continue
        understood += 1
    assert understood > 10


def test_the_deltas_of_the_real_logs_join_to_the_completed_messages() -> None:
    compared = 0
    for path in CAPTURES:
        texts: dict[str, str] = {}
        begun: set[str] = set()
        for message in received(path):
            if "method" not in message or "id" in message:
                continue
            for event in to_events(told(message)):
                match event:
                    case ItemStarted(item=ours.AgentMessage(id=item_id)):
                        begun.add(item_id)
                    case Delta(channel=Channel.MESSAGE):
                        texts[event.item_id] = texts.get(event.item_id, "") + event.text
                    case ItemCompleted(item=ours.AgentMessage(id=item_id, text=text)) if item_id in begun:
                        assert texts.get(item_id, "") == text
                        compared += 1
                    case _:
                        pass
    assert compared > 5


def kinds_of(raw: dict[str, Any]) -> type[ours.Item]:
    return type(to_item(raw))


ITEM = {"id": "i1"}


@pytest.mark.parametrize(
    ("raw", "item"),
    [
        (
            {
                "type": "userMessage",
                "content": [
                    {"type": "text", "text": "a"},
                    {"type": "localImage", "path": "/pictures/cat.png"},
                    {"type": "image", "url": "data:image/png;base64,AAAA"},
                    {"type": "mention", "name": "the file", "path": "/x"},
                    {"type": "hologram", "url": "https://example.org/h"},
                    {"type": "text", "text": "b"},
                ],
            },
            ours.UserMessage(
                id="i1",
                text="a\nb",
                attachments=(
                    ours.Attachment(kind="localImage", name="cat.png"),
                    ours.Attachment(kind="image", name="data:image/png"),
                    ours.Attachment(kind="mention", name="the file"),
                    ours.Attachment(kind="hologram", name="https://example.org/h"),
                ),
            ),
        ),
        (
            {
                "type": "hookPrompt",
                "fragments": [{"hookRunId": "h", "text": "one"}, {"hookRunId": "h", "text": "two"}],
            },
            ours.Marker(id="i1", name="hook", text="one\ntwo"),
        ),
        (
            {
                "type": "mcpToolCall",
                "server": "s",
                "tool": "t",
                "status": "failed",
                "arguments": {"a": None},
                "error": {"message": "no"},
                "durationMs": 3,
            },
            ours.ToolCall(
                id="i1",
                server="s",
                tool="t",
                status=ours.Status.FAILED,
                arguments='{"a": null}',
                error="no",
                duration_ms=3,
            ),
        ),
        (
            {
                "type": "mcpToolCall",
                "server": "s",
                "tool": "t",
                "status": "completed",
                "result": {"content": [{"type": "text", "text": "x"}, {"type": "image", "data": "AA"}]},
            },
            ours.ToolCall(
                id="i1",
                server="s",
                tool="t",
                status=ours.Status.DONE,
                arguments="null",
                result='x\n{"type": "image", "data": "AA"}',
            ),
        ),
        (
            {
                "type": "dynamicToolCall",
                "namespace": "ns",
                "tool": "t",
                "status": "completed",
                "arguments": {},
                "contentItems": [{"type": "inputText", "text": "x"}, {"type": "inputImage", "imageUrl": "u"}],
                "success": False,
            },
            ours.ToolCall(
                id="i1", tool="ns.t", status=ours.Status.FAILED, arguments="{}", result="x\n(inputImage)"
            ),
        ),
        (
            {
                "type": "collabAgentToolCall",
                "tool": "wait",
                "status": "interrupted",
                "receiverThreadIds": ["r"],
            },
            ours.SubAgentCall(id="i1", tool="wait", status=ours.Status.CUT, receivers=("r",)),
        ),
        (
            {"type": "subAgentActivity", "agentPath": "/lead/a", "agentThreadId": "t", "kind": "started"},
            ours.Marker(id="i1", name="sub_agent", text="/lead/a started"),
        ),
        ({"type": "webSearch", "query": "q"}, ours.WebSearch(id="i1", query="q")),
        ({"type": "imageView", "path": "/p.png"}, ours.Image(id="i1", path="/p.png")),
        (
            {"type": "imageGeneration", "status": "completed", "result": "AAAA", "savedPath": "/g.png"},
            ours.Image(id="i1", path="/g.png", made=True),
        ),
        ({"type": "sleep", "durationMs": 40}, ours.Marker(id="i1", name="sleep", text="40 ms")),
        (
            {"type": "functionCallOutput", "name": "f", "output": [{"type": "input_text", "text": "x"}]},
            ours.Marker(id="i1", name="tool_output", text='f: [{"type": "input_text", "text": "x"}]'),
        ),
        ({"type": "enteredReviewMode", "review": "r"}, ours.Marker(id="i1", name="review_entered", text="r")),
        ({"type": "exitedReviewMode", "review": "r"}, ours.Marker(id="i1", name="review_left", text="r")),
        ({"type": "contextCompaction"}, ours.Marker(id="i1", name="compaction")),
        ({"type": "plan", "text": "p"}, ours.Plan(id="i1", text="p")),
        (
            {
                "type": "fileChange",
                "status": "declined",
                "changes": [{"path": "/a", "kind": {"type": "update", "move_path": "/b"}, "diff": "@@"}],
            },
            ours.FileChange(
                id="i1",
                status=ours.Status.DECLINED,
                changes=(ours.Change(path="/a", verb="update", diff="@@", move_path="/b"),),
            ),
        ),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)
def test_items_become_ours(raw: dict[str, Any], item: ours.Item) -> None:
    assert to_item({"id": "i1", **raw}) == item


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "telepathy", "id": "i1", "thought": "🙂"},
        {"type": "agentMessage", "id": "i1"},
        {"type": "commandExecution", "id": "i1", "command": "ls", "cwd": "/", "status": "paused"},
        {
            "type": "fileChange",
            "id": "i1",
            "status": "completed",
            "changes": [{"path": "/a", "kind": {"type": "chmod"}, "diff": ""}],
        },
        {"type": ["a"], "id": "i1"},
        {"id": "i1"},
        {},
    ],
)
def test_an_item_that_is_not_understood_is_kept_whole(raw: dict[str, Any]) -> None:
    item = to_item(raw)
    assert isinstance(item, ours.OtherItem)
    assert json.loads(item.raw) == raw
    assert item.id == raw.get("id", "")


def test_a_method_that_is_not_known_is_kept_whole() -> None:
    (event,) = to_events(Told("thread/levitated", {"threadId": "t", "height": 3}))
    assert event == UnknownEvent("thread/levitated", '{"threadId": "t", "height": 3}')


def test_a_turn_that_ended_in_a_new_way_counts_as_failed_and_says_which() -> None:
    params = {"threadId": "t", "turn": {"id": "u", "status": "vanished"}}
    (event,) = to_events(Told("turn/completed", params))
    assert event == TurnEnded(
        "t", "u", TurnStatus.FAILED, TurnFailure("other", "The turn ended as vanished.")
    )


@pytest.mark.parametrize(
    ("info", "code"),
    [
        ("usageLimitExceeded", "usageLimitExceeded"),
        ({"httpConnectionFailed": {"httpStatusCode": 502}}, "httpConnectionFailed"),
        (None, "other"),
        (7, "other"),
    ],
)
def test_why_a_turn_failed_is_one_word(info: object, code: str) -> None:
    turn = Turn.model_validate(
        {"id": "u", "status": "failed", "error": {"message": "m", "codexErrorInfo": info}}
    )
    assert to_turn(turn).failure == TurnFailure(code, "m")


@pytest.mark.parametrize(
    ("method", "params", "event"),
    [
        ("thread/name/updated", {"threadId": "t", "threadName": "n"}, ThreadRenamed("t", "n")),
        ("thread/name/updated", {"threadId": "t"}, ThreadRenamed("t", "")),
        (
            "thread/status/changed",
            {
                "threadId": "t",
                "status": {"type": "active", "activeFlags": ["waitingOnApproval", "levitating"]},
            },
            ThreadStatusChanged("t", True, frozenset({"waitingOnApproval", "levitating"})),
        ),
        (
            "thread/status/changed",
            {"threadId": "t", "status": {"type": "notLoaded"}},
            ThreadStatusChanged("t", False),
        ),
        (
            "thread/started",
            {"thread": {"id": "t", "cwd": "/c", "preview": "p"}},
            ThreadAppeared("t", "/c", "p"),
        ),
        ("account/login/completed", {"success": False, "error": "no"}, LoginCompleted(False, "no")),
        (
            "error",
            {
                "threadId": "t",
                "turnId": "u",
                "willRetry": True,
                "error": {"message": "m", "additionalDetails": "d"},
            },
            Notice("t", "warning", "m: d"),
        ),
        (
            "model/rerouted",
            {"threadId": "t", "fromModel": "a", "toModel": "b"},
            Notice("t", "warning", "Codex goes on with b instead of a"),
        ),
        (
            "item/commandExecution/terminalInteraction",
            {"threadId": "t", "turnId": "u", "itemId": "i", "stdin": "y\n"},
            Delta("t", "u", "i", Channel.STDIN, "y\n"),
        ),
        (
            "item/mcpToolCall/progress",
            {"threadId": "t", "turnId": "u", "itemId": "i", "message": "half"},
            Delta("t", "u", "i", Channel.PROGRESS, "half"),
        ),
        (
            "item/reasoning/textDelta",
            {"threadId": "t", "turnId": "u", "itemId": "i", "delta": "x", "contentIndex": 2},
            Delta("t", "u", "i", Channel.REASONING, "x", 2),
        ),
    ],
)
def test_notifications_become_events(method: str, params: object, event: object) -> None:
    assert to_events(Told(method, params)) == (event,)


@pytest.mark.parametrize("method", sorted(QUIET))
def test_notifications_without_use_tell_nothing(method: str) -> None:
    assert to_events(Told(method, {"anything": 1})) == ()


def test_an_ephemeral_thread_does_not_appear() -> None:
    assert to_events(Told("thread/started", {"thread": {"id": "t", "ephemeral": True}})) == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3)
    ),
    max_leaves=6,
)


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to everything inside a JSON value."""
    if path:
        yield path
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        yield from places(inner, (*path, key))


def damage(message: dict[str, Any], data: st.DataObject) -> dict[str, Any]:
    """The message with something in its params dropped, put in, or made something else."""
    damaged = copy.deepcopy(message)
    for _ in range(data.draw(st.integers(1, 4))):
        found = list(places(damaged.get("params")))
        if not found:
            break
        *way, last = data.draw(st.sampled_from(found))
        holder = damaged["params"]
        for step in way:
            holder = holder[step]
        action = data.draw(st.sampled_from(["drop", "add", "change"]))
        if action == "drop":
            del holder[last]
        elif action == "add" and isinstance(holder, dict):
            holder[data.draw(st.text(max_size=8))] = data.draw(JSON)
        else:
            holder[last] = data.draw(JSON)
    return damaged


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_no_damaged_notification_is_too_much(data: st.DataObject) -> None:
    message = damage(data.draw(st.sampled_from(TOLD)), data)
    for event in to_events(told(message)):
        if isinstance(event, UnknownEvent):
            assert json.loads(event.raw) == message.get("params")
        if isinstance(event, ItemStarted | ItemCompleted):
            assert ours.load_item(ours.dump_item(event.item)) == event.item


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_no_damaged_request_is_too_much(data: st.DataObject) -> None:
    message = damage(data.draw(st.sampled_from(ASKED)), data)
    request = to_request(asked(message), KEY)
    assert load_request(dump_request(request)) == request
    if isinstance(request, OtherRequest):
        assert json.loads(request.raw) == message.get("params")
        assert request.method == message["method"]


@given(method=st.sampled_from([*READERS, *REQUEST_READERS, "unheard/of"]), params=JSON)
@settings(max_examples=300, deadline=None)
def test_no_params_whatever_are_too_much(method: str, params: object) -> None:
    for event in to_events(Told(method, params)):
        assert event is not None
    assert to_request(Asked(0, method, params), KEY).key == KEY


@given(kind=st.sampled_from([*ITEMS, "unheard-of"]), fields=st.dictionaries(st.text(max_size=8), JSON))
@settings(max_examples=300, deadline=None)
def test_no_item_whatever_is_too_much(kind: str, fields: dict[str, Any]) -> None:
    item = to_item({**fields, "type": kind})
    assert ours.load_item(ours.dump_item(item)) == item
