"""What Codex asks for, and what becomes of each answer, on the real Codex with the scripted model."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from core.agent.events import (
    Channel,
    Delta,
    Notice,
    RequestRaised,
    RequestSettled,
    ThreadStatusChanged,
    TurnStatus,
)
from core.agent.items import AgentMessage, Change, CommandRun, FileChange, Status, SubAgentCall, ToolCall
from core.agent.port import ToolSpec
from core.agent.requests import (
    Choice,
    CommandApproval,
    Decide,
    Elicited,
    FileApproval,
    Grant,
    McpForm,
    PermissionsApproval,
    Question,
    Reply,
    Request,
    RequestKey,
    ToolRequest,
    ToolResult,
)
from core.demo.scratch import Scratch
from core.errors import InvalidRequest
from tests.core.codex.conftest import Console, OpenConsole

ASKING_SERVER = Path(__file__).with_name("asking_mcp_server.py")


def choice(request: Request, verb: str) -> Decide:
    assert isinstance(request, CommandApproval | FileApproval)
    return Decide(choice=next(choice for choice in request.choices if choice.verb == verb))


async def last_output(scratch: Scratch) -> str:
    """What the model got back from the last tool call."""
    return (await scratch.model.requests())[-1].outputs[-1][1]


async def test_an_accepted_command_runs(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! touch outside-the-sandbox")
    request = await console.heard.request()
    assert isinstance(request, CommandApproval)
    assert "touch outside-the-sandbox" in request.command
    assert (request.thread_id, request.turn_id) == (thread, turn)
    assert (request.cwd, request.stdin) == (str(console.project), False)
    assert request.reason
    assert request.asked_at_ms > 0
    assert request.proposed_rule == ("touch", "outside-the-sandbox")
    assert [choice.verb for choice in request.choices] == ["accept", "accept_rule", "decline", "cancel"]

    assert await console.agent.answer(request.key, choice(request, "accept"))
    settled = await console.heard.next(RequestSettled)
    assert settled.key == request.key
    await console.heard.turn_end(turn)
    (run,) = console.heard.items(CommandRun)
    assert (run.id, run.status) == (request.item_id, Status.DONE)
    assert (console.project / "outside-the-sandbox").exists()


async def test_a_declined_command_does_not_run_and_the_turn_goes_on(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! touch nothing\n/say went on")
    request = await console.heard.request()
    assert await console.agent.answer(request.key, choice(request, "decline"))
    ended = await console.heard.turn_end(turn)
    assert ended.status is TurnStatus.COMPLETED
    assert [run.status for run in console.heard.items(CommandRun)] == [Status.DECLINED]
    assert [said.text for said in console.heard.items(AgentMessage)] == ["went on"]
    assert not (console.project / "nothing").exists()


async def test_a_cancelled_command_ends_the_turn(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! touch nothing\n/say never said")
    request = await console.heard.request()
    assert await console.agent.answer(request.key, choice(request, "cancel"))
    ended = await console.heard.turn_end(turn)
    assert ended.status is TurnStatus.INTERRUPTED
    assert console.heard.items(AgentMessage) == []
    assert not (console.project / "nothing").exists()


async def test_a_command_accepted_with_its_rule_is_not_asked_about_again(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! touch by-rule\n/run! touch by-rule")
    request = await console.heard.request()
    assert await console.agent.answer(request.key, choice(request, "accept_rule"))
    await console.heard.turn_end(turn)
    assert [run.status for run in console.heard.items(CommandRun)] == [Status.DONE, Status.DONE]
    assert len(console.heard.of(RequestRaised)) == 1


async def test_an_answer_is_sent_at_most_once(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! true")
    request = await console.heard.request()
    assert await console.agent.answer(request.key, choice(request, "accept"))
    assert not await console.agent.answer(request.key, choice(request, "decline"))
    await console.heard.turn_end(turn)
    assert [run.status for run in console.heard.items(CommandRun)] == [Status.DONE]


async def test_an_answer_to_another_generation_or_to_nothing_is_not_sent(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! true")
    request = await console.heard.request()
    earlier = RequestKey(generation="earlier", id=request.key.id)
    assert not await console.agent.answer(earlier, choice(request, "accept"))
    unknown = RequestKey(generation=request.key.generation, id=99)
    assert not await console.agent.answer(unknown, choice(request, "accept"))
    assert await console.agent.answer(request.key, choice(request, "accept"))
    await console.heard.turn_end(turn)


async def test_an_answer_of_the_wrong_kind_is_refused_and_the_request_waits_on(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! true")
    request = await console.heard.request()
    with pytest.raises(InvalidRequest):
        await console.agent.answer(request.key, Grant())
    unknown = Choice(verb="other", label="do something new", raw='"somethingNew"')
    with pytest.raises(InvalidRequest, match="do something new"):
        await console.agent.answer(request.key, Decide(choice=unknown))
    assert await console.agent.answer(request.key, choice(request, "accept"))
    await console.heard.turn_end(turn)


async def test_a_command_that_wants_rights_is_asked_about_with_them(
    console: Console, scratch: Scratch
) -> None:
    thread = await console.thread()
    arguments = {
        "cmd": "true",
        "sandbox_permissions": "with_additional_permissions",
        "additional_permissions": {
            "network": {"enabled": True},
            "file_system": {"write": [str(scratch.home)]},
        },
        "justification": "it needs them",
    }
    turn = await console.say(thread, f"/tool exec_command {json.dumps(arguments)}")
    request = await console.heard.request()
    assert isinstance(request, CommandApproval)
    assert [right.label for right in request.rights] == ["Network access", f"Write {scratch.home}"]
    assert await console.agent.answer(request.key, choice(request, "decline"))
    await console.heard.turn_end(turn)


async def test_an_interrupt_settles_what_waits(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! true")
    request = await console.heard.request()
    await console.agent.interrupt(thread, turn)
    settled = await console.heard.next(RequestSettled)
    assert settled.key == request.key
    assert not await console.agent.answer(request.key, choice(request, "accept"))


PATCH = "/patch *** Update File: README.md\n@@\n-# Harbour\n+# Port\n*** Add File: new.txt\n+hello"


def expected_changes(project: str) -> tuple[Change, ...]:
    update = Change(path=f"{project}/README.md", verb="update", diff="@@ -1 +1 @@\n-# Harbour\n+# Port\n")
    add = Change(path=f"{project}/new.txt", verb="add", diff="hello\n")
    return (update, add)


def in_short(changes: tuple[Change, ...]) -> list[tuple[str, str, str]]:
    """Path, verb and the changed lines: the context depends on the file."""
    return [
        (
            change.path,
            change.verb,
            "\n".join(line for line in change.diff.splitlines() if not line.startswith((" ", "@"))),
        )
        for change in sorted(changes, key=lambda change: change.path)
    ]


async def test_a_file_change_is_asked_about_with_its_diff(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, PATCH)
    request = await console.heard.request()
    assert isinstance(request, FileApproval)
    assert in_short(request.changes) == in_short(expected_changes(str(console.project)))
    assert [choice.verb for choice in request.choices] == ["accept", "accept_session", "decline", "cancel"]
    assert await console.agent.answer(request.key, choice(request, "accept"))
    await console.heard.turn_end(turn)
    (change,) = console.heard.items(FileChange)
    assert change.status is Status.DONE
    assert (console.project / "new.txt").read_text() == "hello\n"


async def test_a_file_change_that_was_asked_about_before_we_came_has_its_diff_too(
    console: Console, open_console: OpenConsole
) -> None:
    thread = await console.thread()
    turn = await console.say(thread, PATCH)
    first = await console.heard.request()
    await console.agent.close()

    later = await open_console()
    await later.agent.resume_thread(thread)
    request = await later.heard.request()
    assert isinstance(request, FileApproval)
    assert isinstance(first, FileApproval)
    assert request.changes == first.changes
    assert request.key == first.key
    assert await later.agent.answer(request.key, choice(request, "decline"))
    await later.heard.turn_end(turn)
    assert len(later.heard.of(RequestRaised)) == 1
    assert [change.status for change in later.heard.items(FileChange)] == [Status.DECLINED]


async def test_a_question_is_answered_by_label_and_by_own_words(console: Console, scratch: Scratch) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/ask Which port? | 80: plain | 443: secure\nWhich name? | a: A | b: B")
    request = await console.heard.request()
    assert isinstance(request, Question)
    first, second = request.parts
    assert (first.text, [option.label for option in first.options]) == ("Which port?", ["80", "443"])
    assert first.options[0].description == "plain"
    assert first.other
    answers = {first.id: ("443",), second.id: ("my own",)}
    assert await console.agent.answer(request.key, Reply(answers=answers))
    await console.heard.turn_end(turn)
    output = await last_output(scratch)
    assert "443" in output
    assert "my own" in output


async def test_only_the_rights_that_were_granted_are(console: Console, scratch: Scratch) -> None:
    thread = await console.thread()
    wanted, refused = scratch.home / "wanted", scratch.home / "refused"
    turn = await console.say(thread, f"/permissions network, write {wanted}, write {refused}")
    request = await console.heard.request()
    assert isinstance(request, PermissionsApproval)
    labels = [right.label for right in request.rights]
    assert labels == ["Network access", f"Write {wanted}", f"Write {refused}"]
    network, write, _ = request.rights
    assert await console.agent.answer(request.key, Grant(rights=(network, write), scope="session"))
    await console.heard.turn_end(turn)
    granted = json.loads(await last_output(scratch))
    assert granted["scope"] == "session"
    assert granted["permissions"]["network"] == {"enabled": True}
    assert str(wanted) in json.dumps(granted["permissions"])
    assert str(refused) not in json.dumps(granted["permissions"])


async def test_granting_nothing_grants_nothing(console: Console, scratch: Scratch) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/permissions network")
    request = await console.heard.request()
    assert await console.agent.answer(request.key, Grant())
    await console.heard.turn_end(turn)
    granted = json.loads(await last_output(scratch))["permissions"]
    assert not any(granted.values())


async def test_an_mcp_tool_may_be_allowed_for_the_session(console: Console) -> None:
    thread = await console.thread()
    tide = '/mcp demo tide {"harbour": "Whitby"}'
    turn = await console.say(thread, f"{tide}\n{tide}")
    request = await console.heard.request()
    assert isinstance(request, McpForm)
    assert (request.server, request.approval_kind) == ("demo", "mcp_tool_call")
    assert request.persist == ("session", "always")
    assert json.loads(request.arguments or "") == {"harbour": "Whitby"}
    assert await console.agent.answer(request.key, Elicited(action="accept", persist="session"))
    await console.heard.turn_end(turn)
    calls = console.heard.items(ToolCall)
    assert [(call.server, call.tool, call.status) for call in calls] == [("demo", "tide", Status.DONE)] * 2
    assert calls[0].result == "High water at Whitby is at noon."
    assert len(console.heard.of(RequestRaised)) == 1


async def test_a_declined_mcp_tool_is_not_called(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, '/mcp demo tide {"harbour": "Whitby"}')
    request = await console.heard.request()
    assert await console.agent.answer(request.key, Elicited(action="decline"))
    await console.heard.turn_end(turn)
    (call,) = console.heard.items(ToolCall)
    assert call.status is Status.FAILED


@pytest.mark.parametrize(
    ("answer", "got"),
    [
        (
            Elicited(action="accept", content_json='{"colour": "red"}'),
            {"action": "accept", "content": {"colour": "red"}},
        ),
        (Elicited(action="decline"), {"action": "decline"}),
        (Elicited(action="cancel"), {"action": "cancel"}),
    ],
)
async def test_an_mcp_servers_own_form_gets_the_answer(
    console: Console, answer: Elicited, got: dict[str, object]
) -> None:
    servers = {"asking": {"command": sys.executable, "args": ["-I", "-S", str(ASKING_SERVER)]}}
    thread = await console.thread(config_json=json.dumps({"mcp_servers": servers}))
    turn = await console.say(thread, "/mcp asking colour {}")
    allow = await console.heard.request()
    assert await console.agent.answer(allow.key, Elicited(action="accept"))
    request = await console.heard.request()
    assert isinstance(request, McpForm)
    assert (request.server, request.message, request.approval_kind) == ("asking", "Which colour?", None)
    assert json.loads(request.form_json)["required"] == ["colour"]
    assert await console.agent.answer(request.key, answer)
    await console.heard.turn_end(turn)
    (call,) = console.heard.items(ToolCall)
    assert {k: v for k, v in json.loads(call.result or "").items() if v is not None} == got


LOOKUP = ToolSpec(
    "lookup", "Look something up.", '{"type": "object", "properties": {"q": {"type": "string"}}}'
)


@pytest.mark.parametrize(("success", "status"), [(True, Status.DONE), (False, Status.FAILED)])
async def test_a_dynamic_tool_of_ours_is_called_and_its_result_used(
    console: Console, scratch: Scratch, success: bool, status: Status
) -> None:
    thread = await console.thread(tools=(LOOKUP,))
    turn = await console.say(thread, '/tool lookup {"q": "x"}')
    request = await console.heard.request()
    assert isinstance(request, ToolRequest)
    assert (request.tool, json.loads(request.arguments)) == ("lookup", {"q": "x"})
    assert await console.agent.answer(request.key, ToolResult(success=success, text="what was found"))
    await console.heard.turn_end(turn)
    (call,) = console.heard.items(ToolCall)
    assert (call.id, call.server, call.status) == (request.item_id, None, status)
    assert call.result == "what was found"
    assert "what was found" in await last_output(scratch)


async def test_input_to_a_running_command_shows_as_input(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/background cat\n/type hello")
    await console.heard.turn_end(turn)
    typed = [event.text for event in console.heard.of(Delta) if event.channel is Channel.STDIN]
    assert "".join(typed).strip() == "hello"


async def test_a_sub_agent_asks_under_its_own_thread(console: Console) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/agent /run! true\n/join")
    request = await console.heard.request()
    assert isinstance(request, CommandApproval)
    assert request.thread_id != thread
    assert await console.agent.answer(request.key, choice(request, "accept"))
    await console.heard.turn_end(turn)
    receivers = {receiver for call in console.heard.items(SubAgentCall) for receiver in call.receivers}
    assert receivers == {request.thread_id}


async def test_a_request_waits_for_the_next_console_under_the_same_key(
    console: Console, open_console: OpenConsole
) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! true")
    first = await console.heard.request()
    await console.agent.close()

    later = await open_console()
    info = await later.agent.resume_thread(thread)
    assert info.active
    again = await later.heard.request()
    assert again == first
    assert await later.agent.answer(again.key, choice(again, "accept"))
    assert (await later.heard.turn_end(turn)).status is TurnStatus.COMPLETED


async def test_two_consoles_see_the_same_request_and_one_answers(
    console: Console, open_console: OpenConsole
) -> None:
    other = await open_console()
    thread = await console.thread()
    turn = await console.say(thread, "/run! true")
    mine = await console.heard.request()
    waiting = await other.heard.next(ThreadStatusChanged, lambda event: bool(event.waiting))
    assert waiting.waiting == {"waitingOnApproval"}
    await other.agent.resume_thread(thread)
    theirs = await other.heard.request()
    assert theirs == mine
    assert await other.agent.answer(theirs.key, choice(theirs, "accept"))
    assert (await console.heard.next(RequestSettled)).key == mine.key
    assert not await console.agent.answer(mine.key, choice(mine, "decline"))
    await console.heard.turn_end(turn)


async def test_an_mcp_server_that_does_not_start_is_a_notice(console: Console) -> None:
    servers = {"broken": {"command": "/nowhere/at-all"}}
    thread = await console.thread(config_json=json.dumps({"mcp_servers": servers}))
    notice = await console.heard.next(Notice, lambda event: "broken" in event.text)
    assert (notice.thread_id, notice.level) == (thread, "warning")
