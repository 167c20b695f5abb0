"""What is remembered between messages: requests that wait, and patches whose approval may be asked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from core.agent.events import Notice, RequestRaised, RequestSettled, UnknownEvent
from core.agent.items import Change
from core.agent.requests import (
    Choice,
    CommandApproval,
    Decide,
    FileApproval,
    OtherRequest,
    Request,
    RequestKey,
)
from core.codex.intake import Intake
from core.codex.patches import Patch
from core.codex.protocol.requests import FileChangeRequest
from core.codex.requests import FILE_CHANGE, NEVER_OURS
from core.codex.rpc import Asked, Malformed, Told
from core.errors import CallTimedOut, CodexError
from tests.core.codex.heard import Heard

COMMAND = "item/commandExecution/requestApproval"
PATCH = (Change(path="/a", verb="add", diff="hello\n"),)
WIRE_CHANGE = {"path": "/a", "kind": {"type": "add"}, "diff": "hello\n"}
ACCEPT = Decide(choice=Choice(verb="accept", label="Accept", raw='"accept"'))


class Rig:
    """An intake with a patch fetcher that waits until the test says what it found."""

    def __init__(self) -> None:
        self.heard = Heard()
        self.refused: list[tuple[int | str, str]] = []
        self.fetches: list[FileChangeRequest] = []
        self.found: asyncio.Future[Patch] = asyncio.get_running_loop().create_future()
        self.intake = Intake(self.heard, lambda *refusal: self.refused.append(refusal), self._fetch)
        self.intake.begin("g1")

    async def _fetch(self, request: FileChangeRequest) -> Patch:
        self.fetches.append(request)
        return await asyncio.shield(self.found)

    def ask(self, request_id: int, method: str, item: str = "i", thread: str = "t") -> None:
        params = {"threadId": thread, "turnId": "u", "itemId": item, "command": "ls", "cwd": "/"}
        self.intake.take(Asked(request_id, method, params))

    def item(self, method: str, changes: list[Any], item: str = "i") -> None:
        raw = {"type": "fileChange", "id": item, "status": "inProgress", "changes": changes}
        self.intake.take(Told(method, {"threadId": "t", "turnId": "u", "item": raw}))

    def resolve(self, request_id: int) -> None:
        self.intake.take(Told("serverRequest/resolved", {"threadId": "t", "requestId": request_id}))

    def raised(self) -> list[Request]:
        return [event.request for event in self.heard.of(RequestRaised)]

    def settled(self) -> list[int | str]:
        return [event.key.id for event in self.heard.of(RequestSettled)]


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    made = Rig()
    yield made
    await made.intake.end()


def key(request_id: int, generation: str = "g1") -> RequestKey:
    return RequestKey(generation=generation, id=request_id)


async def test_a_patch_that_was_seen_is_joined_at_once(rig: Rig) -> None:
    rig.item("item/started", [WIRE_CHANGE])
    rig.ask(0, FILE_CHANGE)
    (request,) = rig.raised()
    assert isinstance(request, FileApproval)
    assert request.changes == PATCH
    assert rig.fetches == []


async def test_the_newest_version_of_a_patch_is_joined(rig: Rig) -> None:
    rig.item("item/started", [])
    params = {"threadId": "t", "turnId": "u", "itemId": "i", "changes": [WIRE_CHANGE]}
    rig.intake.take(Told("item/fileChange/patchUpdated", params))
    rig.ask(0, FILE_CHANGE)
    (request,) = rig.raised()
    assert isinstance(request, FileApproval)
    assert request.changes == PATCH


async def test_a_patch_that_was_not_seen_is_fetched_before_the_request_is_raised(rig: Rig) -> None:
    rig.ask(0, FILE_CHANGE)
    await asyncio.sleep(0)
    assert rig.raised() == []
    assert [request.item_id for request in rig.fetches] == ["i"]
    rig.found.set_result(PATCH)
    request = await rig.heard.request()
    assert isinstance(request, FileApproval)
    assert request.changes == PATCH
    assert "accept" in [choice.verb for choice in request.choices]


async def test_other_requests_do_not_wait_for_a_fetch(rig: Rig) -> None:
    rig.ask(0, FILE_CHANGE)
    rig.ask(1, COMMAND)
    (request,) = rig.raised()
    assert isinstance(request, CommandApproval)


async def test_a_request_that_is_settled_while_its_patch_is_fetched_is_never_raised(rig: Rig) -> None:
    rig.ask(0, FILE_CHANGE)
    rig.resolve(0)
    rig.found.set_result(PATCH)
    await rig.intake.end()
    assert rig.raised() == []
    assert rig.settled() == [0]


@pytest.mark.parametrize("failure", [None, CallTimedOut("Codex did not answer thread/resume")])
async def test_a_patch_that_cannot_be_had_can_only_be_declined(rig: Rig, failure: CodexError | None) -> None:
    rig.ask(0, FILE_CHANGE)
    if failure is None:
        rig.found.set_result(())
    else:
        rig.found.set_exception(failure)
    request = await rig.heard.request()
    assert isinstance(request, FileApproval)
    assert [choice.verb for choice in request.choices] == ["decline", "cancel"]
    assert any(notice.level == "warning" and notice.thread_id == "t" for notice in rig.heard.of(Notice))


async def test_a_patch_that_is_not_understood_is_left_to_another_client(rig: Rig) -> None:
    rig.item("item/started", [{"path": "/a", "kind": {"type": "chmod"}, "diff": ""}])
    rig.ask(0, FILE_CHANGE)
    (request,) = rig.raised()
    assert isinstance(request, OtherRequest)


async def test_patches_are_forgotten_with_their_item_and_with_their_turn(rig: Rig) -> None:
    rig.item("item/started", [WIRE_CHANGE], "one")
    rig.item("item/started", [WIRE_CHANGE], "two")
    rig.item("item/completed", [WIRE_CHANGE], "one")
    turn = {"id": "u", "status": "completed"}
    rig.intake.take(Told("turn/completed", {"threadId": "t", "turn": turn}))
    rig.ask(0, FILE_CHANGE, "one")
    rig.ask(1, FILE_CHANGE, "two")
    await asyncio.sleep(0)
    assert [request.item_id for request in rig.fetches] == ["one", "two"]


@pytest.mark.parametrize("method", sorted(NEVER_OURS))
async def test_what_we_never_hold_is_refused_and_nobody_is_bothered(rig: Rig, method: str) -> None:
    rig.ask(3, method)
    assert rig.refused == [(3, NEVER_OURS[method])]
    assert rig.heard.events == []


@pytest.mark.parametrize("method", ["item/somethingNew/request", "currentTime/read", COMMAND])
async def test_what_we_cannot_answer_is_shown_and_never_refused(rig: Rig, method: str) -> None:
    rig.intake.take(Asked(4, method, {"threadId": "t"}))
    (request,) = rig.raised()
    assert isinstance(request, OtherRequest)
    assert (request.method, request.thread_id) == (method, "t")
    assert rig.refused == []


async def test_a_reply_is_given_once(rig: Rig) -> None:
    rig.ask(0, COMMAND)
    reply = rig.intake.reply_to(key(0), ACCEPT)
    assert reply is not None
    assert rig.intake.reply_to(key(0), ACCEPT) is None
    rig.intake.not_sent(reply)
    assert rig.intake.reply_to(key(0), ACCEPT) == reply


async def test_there_is_no_reply_to_what_is_settled_or_of_another_host(rig: Rig) -> None:
    rig.ask(0, COMMAND)
    rig.ask(1, COMMAND)
    rig.resolve(0)
    assert rig.intake.reply_to(key(0), ACCEPT) is None
    assert rig.intake.reply_to(key(1, "g0"), ACCEPT) is None
    rig.intake.begin("g2")
    assert rig.intake.reply_to(key(1, "g2"), ACCEPT) is None


async def test_what_the_same_host_waits_for_can_be_answered_after_a_reconnect(rig: Rig) -> None:
    rig.ask(0, COMMAND)
    rig.intake.begin("g1")
    assert rig.intake.reply_to(key(0), ACCEPT) is not None


async def test_what_is_not_asked_again_after_a_reconnect_was_settled_meanwhile(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.codex.intake.CONFIRM_SECONDS", 0.02)
    rig.ask(0, COMMAND)
    rig.ask(1, COMMAND)
    rig.ask(2, COMMAND, thread="another")
    rig.intake.begin("g1")
    rig.intake.resumed("t")
    rig.ask(1, COMMAND)
    settled = await rig.heard.next(RequestSettled)
    assert settled.key == key(0)
    assert rig.settled() == [0]
    assert rig.intake.reply_to(key(0), ACCEPT) is None
    assert rig.intake.reply_to(key(1), ACCEPT) is not None
    assert rig.intake.reply_to(key(2), ACCEPT) is not None


async def test_nothing_is_settled_by_a_connection_that_is_gone(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.codex.intake.CONFIRM_SECONDS", 0.0)
    rig.ask(0, COMMAND)
    rig.intake.begin("g1")
    rig.intake.resumed("t")
    await rig.intake.end()
    rig.intake.begin("g1")
    await asyncio.sleep(0.01)
    assert rig.settled() == []
    assert rig.intake.reply_to(key(0), ACCEPT) is not None


async def test_a_resume_for_the_items_alone_raises_nothing_twice(rig: Rig) -> None:
    rig.ask(0, COMMAND)
    rig.intake.resuming("t", quietly=True)
    rig.ask(0, COMMAND)
    assert len(rig.raised()) == 1
    rig.ask(0, COMMAND)
    assert len(rig.raised()) == 2


async def test_a_persons_resume_raises_again_what_waits(rig: Rig) -> None:
    rig.ask(0, COMMAND)
    rig.intake.resuming("t", quietly=True)
    rig.intake.resuming("t")
    rig.ask(0, COMMAND)
    first, second = rig.raised()
    assert first == second


async def test_what_is_no_message_is_a_notice(rig: Rig) -> None:
    rig.intake.take(Malformed(3, "{nonsense"))
    (notice,) = rig.heard.of(Notice)
    assert (notice.thread_id, notice.level) == (None, "warning")
    assert "{nonsense" in notice.text
    assert "3" in notice.text


async def test_a_damaged_settlement_is_kept_as_it_is(rig: Rig) -> None:
    rig.intake.take(Told("serverRequest/resolved", {"threadId": 3}))
    assert rig.heard.events == [UnknownEvent("serverRequest/resolved", '{"threadId": 3}')]
