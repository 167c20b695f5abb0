"""Our wire models against the schema that the bundled Codex itself prints."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from core.agent import requests as agent
from core.agent.port import Approvals, Sandbox
from core.codex.client import SOURCES
from core.codex.decisions import COMMAND_DEFAULT, FILE_DECISIONS, choices
from core.codex.events import QUIET, READERS
from core.codex.protocol import calls, lookups, operations, threads
from core.codex.protocol.base import Method, Nothing, Wire
from core.codex.protocol.notifications import RequestResolved
from core.codex.requests import FILE_CHANGE, NEVER_OURS, to_wire_answer
from core.codex.requests import READERS as REQUEST_READERS
from core.codex.rights import rights_of
from core.codex.translate import ITEMS
from tests.core.codex.schema import Printed, alternatives, problems

METHODS: list[Method[Any]] = [
    value
    for module in (calls, lookups, operations)
    for value in vars(module).values()
    if isinstance(value, Method)
]

THREAD, TURN = "01a22bcc-92dc-7323-8055-c37890811512", "01a22bcc-94a4-7d60-947e-f6d5956c1e8d"
TEXT_AND_IMAGE = (threads.TextInput(text="hi"), threads.LocalImageInput(path="/a/picture.png"))
JSON_SCHEMA = {"type": "object", "properties": {"x": {"default": None}}}

SENT: dict[str, list[Wire]] = {
    "initialize": [
        calls.InitializeParams(
            client_info=calls.ClientInfo(name="quarterdeck", title="Quarterdeck", version="1")
        )
    ],
    "server/diagnostics": [Nothing()],
    "thread/start": [
        threads.ThreadStartParams(cwd="/a"),
        *(
            threads.ThreadStartParams(
                cwd="/a",
                sandbox=sandbox,
                approval_policy=approvals,
                model="m",
                dynamic_tools=(threads.FunctionTool(name="t", description="d", input_schema=JSON_SCHEMA),),
                config={"features": {"x": True}},
            )
            for sandbox in Sandbox
            for approvals in Approvals
        ),
    ],
    "thread/resume": [
        threads.ThreadResumeParams(
            thread_id=THREAD, initial_turns_page=threads.TurnsPageParams(limit=1, items_view="full")
        )
    ],
    "thread/fork": [operations.ForkParams(thread_id=THREAD, last_turn_id=TURN)],
    "thread/unsubscribe": [threads.ThreadParams(thread_id=THREAD)],
    "thread/archive": [threads.ThreadParams(thread_id=THREAD)],
    "thread/delete": [threads.ThreadParams(thread_id=THREAD)],
    "thread/compact/start": [threads.ThreadParams(thread_id=THREAD)],
    "thread/revert": [operations.RevertParams(thread_id=THREAD, before_turn_id=TURN)],
    "thread/read": [threads.ThreadParams(thread_id=THREAD)],
    "thread/unarchive": [threads.ThreadParams(thread_id=THREAD)],
    "thread/goal/get": [threads.ThreadParams(thread_id=THREAD)],
    "thread/goal/set": [operations.GoalParams(thread_id=THREAD, objective="o", status="active")],
    "thread/goal/clear": [threads.ThreadParams(thread_id=THREAD)],
    "thread/settings/update": [
        operations.SettingsParams(
            thread_id=THREAD,
            model="m",
            effort="high",
            personality="friendly",
            sandbox_policy=threads.SandboxPolicy(type="readOnly"),
            approval_policy="on-request",
        ),
        *(
            operations.ModeParams(
                thread_id=THREAD,
                collaboration_mode=operations.CollaborationMode(
                    mode=mode, settings=operations.ModeSettings(model="m")
                ),
            )
            for mode in ("plan", "default")
        ),
    ],
    "review/start": [
        operations.ReviewParams(thread_id=THREAD, target=target)
        for target in (
            operations.UncommittedTarget(),
            operations.BranchTarget(branch="main"),
            operations.CommitTarget(sha="0a1b"),
            operations.WordsTarget(instructions="look"),
        )
    ],
    "mcpServerStatus/list": [operations.McpServersParams(thread_id=THREAD, cursor="c")],
    "account/logout": [Nothing()],
    "fuzzyFileSearch": [lookups.FileSearchParams(query="q", roots=("/a",), cancellation_token="t")],
    "skills/list": [lookups.SkillsParams(cwds=("/a",))],
    "command/exec": [
        lookups.ExecParams(
            command=("ls",),
            cwd="/a",
            process_id="p",
            sandbox_policy=lookups.ExecSandbox(type="workspaceWrite", writable_roots=("/a",)),
            output_bytes_cap=1_000,
        )
    ],
    "command/exec/terminate": [lookups.ProcessParams(process_id="p")],
    "thread/name/set": [threads.ThreadNameParams(thread_id=THREAD, name="n")],
    "thread/list": [threads.ThreadListParams(cwd="/a", cursor="c", limit=3, source_kinds=SOURCES)],
    "thread/loaded/list": [threads.CursorParams(cursor="c")],
    "thread/backgroundTerminals/list": [threads.ThreadParams(thread_id=THREAD)],
    "thread/turns/list": [threads.TurnsListParams(thread_id=THREAD, cursor="c")],
    "thread/items/list": [threads.ItemsListParams(thread_id=THREAD, turn_id=TURN, cursor="c")],
    "turn/start": [
        threads.TurnStartParams(thread_id=THREAD, input=TEXT_AND_IMAGE, client_user_message_id="k"),
        *(
            threads.TurnStartParams(
                thread_id=THREAD,
                input=TEXT_AND_IMAGE,
                client_user_message_id="k",
                model="m",
                effort="high",
                personality="friendly",
                cwd="/a",
                sandbox_policy=threads.SandboxPolicy(type=policy),
                approval_policy=Approvals.NEVER,
                output_schema=JSON_SCHEMA,
            )
            for policy in ("readOnly", "workspaceWrite", "dangerFullAccess")
        ),
    ],
    "turn/steer": [
        threads.TurnSteerParams(
            thread_id=THREAD, expected_turn_id=TURN, input=TEXT_AND_IMAGE, client_user_message_id="k"
        )
    ],
    "turn/interrupt": [threads.TurnInterruptParams(thread_id=THREAD, turn_id=TURN)],
    "account/read": [Nothing()],
    "account/login/start": [
        calls.LoginParams(type="apiKey", api_key="k"),
        calls.LoginParams(type="chatgpt"),
        calls.LoginParams(type="chatgptDeviceCode"),
    ],
    "model/list": [threads.CursorParams(cursor="c")],
    "account/rateLimits/read": [Nothing()],
    "config/read": [calls.ConfigReadParams(cwd="/a")],
    "fs/readFile": [calls.ReadFileParams(path="/a")],
}

ASKED_RIGHTS: dict[str, JsonValue] = {
    "network": {"enabled": True},
    "fileSystem": {
        "read": ["/a"],
        "entries": [
            {"access": "read", "path": {"type": "path", "path": "/a"}},
            {"access": "write", "path": {"type": "special", "value": {"kind": "tmpdir"}}},
            {"access": "deny", "path": {"type": "glob_pattern", "pattern": "**/.env"}},
        ],
        "globScanMaxDepth": 3,
    },
}
RULES: tuple[JsonValue, ...] = (
    {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": ["git", "status"]}},
    {"applyNetworkPolicyAmendment": {"network_policy_amendment": {"host": "example.org", "action": "allow"}}},
)

ANSWERED: dict[str, list[agent.Answer]] = {
    "item/commandExecution/requestApproval": [
        agent.Decide(choice=choice) for choice in choices((*COMMAND_DEFAULT, "acceptForSession", *RULES))
    ],
    FILE_CHANGE: [agent.Decide(choice=choice) for choice in choices(FILE_DECISIONS)],
    "item/permissions/requestApproval": [
        agent.Grant(),
        agent.Grant(rights=rights_of(ASKED_RIGHTS), scope="session"),
        agent.Grant(rights=rights_of({"fileSystem": {"read": ["/a"], "write": ["/b"]}})),
    ],
    "item/tool/requestUserInput": [agent.Reply(answers={"q": ("a", "b")}), agent.Reply(answers={})],
    "mcpServer/elicitation/request": [
        agent.Elicited(action="accept", content_json='{"colour": null}', persist="session"),
        agent.Elicited(action="accept"),
        agent.Elicited(action="decline", content_json="{}", persist="always"),
        agent.Elicited(action="cancel"),
    ],
    "item/tool/call": [agent.ToolResult(success=True, text="t"), agent.ToolResult(success=False, text="")],
}


@pytest.fixture(scope="session")
def printed(codex_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Printed:
    folder = tmp_path_factory.mktemp("schema")
    command = [codex_binary, "app-server", "generate-json-schema", "--experimental", "--out", folder]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return Printed(folder)


def assert_reads(model: type[Wire], theirs: dict[str, Any], document: dict[str, Any]) -> None:
    ours = model.model_json_schema(mode="validation")
    assert problems(ours, ours, theirs, document, model.__name__) == []


WITHOUT_PARAMS = {"account/logout": "LogoutAccountResponse"}
"""Calls that take nothing: their answers go by names of their own."""


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_each_answer_is_as_codex_gives_it(printed: Printed, method: Method[Any]) -> None:
    bare = WITHOUT_PARAMS.get(method.name)
    schema = printed.file(bare) if bare else printed.response("ClientRequest", method.name)
    assert_reads(method.result, schema, schema)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_each_call_is_as_codex_takes_it(printed: Printed, method: Method[Any]) -> None:
    name = printed.params_name("ClientRequest", method.name)
    assert (name is None) == (method.name in WITHOUT_PARAMS)
    assert SENT[method.name]
    for params in SENT[method.name]:
        sent = json.loads(params.to_json())
        if name is None:
            assert sent == {}
        else:
            printed.validate(name, sent)


def test_no_field_that_is_sent_is_one_that_codex_does_not_know(printed: Printed) -> None:
    """Codex ignores those, and so does JSON schema."""
    for method, sent in SENT.items():
        if method in WITHOUT_PARAMS:
            continue
        name = printed.params_name("ClientRequest", method)
        assert name is not None
        schema = printed.file(name)
        known = {field for part in alternatives(schema, schema) for field in part.get("properties", {})}
        for params in sent:
            assert set(json.loads(params.to_json())) <= known, method


@pytest.mark.parametrize("method", READERS)
def test_each_notification_is_as_codex_sends_it(printed: Printed, method: str) -> None:
    name = printed.params_name("ServerNotification", method)
    assert name is not None
    document = printed.file("ServerNotification")
    assert_reads(READERS[method].model, document["definitions"][name], document)


def test_the_notifications_that_are_left_out_are_codexs_too(printed: Printed) -> None:
    for method in QUIET:
        printed.params_name("ServerNotification", method)
    name = printed.params_name("ServerNotification", "serverRequest/resolved")
    document = printed.file("ServerNotification")
    assert_reads(RequestResolved, document["definitions"][name], document)


@pytest.mark.parametrize("kind", ITEMS)
def test_each_item_is_as_codex_sends_it(printed: Printed, kind: str) -> None:
    document = printed.file("ServerNotification")
    variants = document["definitions"]["ThreadItem"]["oneOf"]
    (variant,) = [entry for entry in variants if entry["properties"]["type"]["enum"] == [kind]]
    assert_reads(ITEMS[kind].model, variant, document)


def test_every_kind_of_item_is_known(printed: Printed) -> None:
    variants = printed.file("ServerNotification")["definitions"]["ThreadItem"]["oneOf"]
    assert {entry["properties"]["type"]["enum"][0] for entry in variants} == set(ITEMS)


@pytest.mark.parametrize("method", REQUEST_READERS)
def test_each_request_is_as_codex_sends_it(printed: Printed, method: str) -> None:
    name = printed.params_name("ServerRequest", method)
    assert name is not None
    schema = printed.file(name)
    assert_reads(REQUEST_READERS[method].model, schema, schema)


def test_every_kind_of_request_is_answered_or_deliberately_not(printed: Printed) -> None:
    known = {entry["properties"]["method"]["enum"][0] for entry in printed.file("ServerRequest")["oneOf"]}
    assert known == {*REQUEST_READERS, *NEVER_OURS, "currentTime/read"}


@pytest.mark.parametrize("method", REQUEST_READERS)
def test_each_answer_of_ours_is_as_codex_takes_it(printed: Printed, method: str) -> None:
    name = printed.params_name("ServerRequest", method)
    assert name is not None
    assert ANSWERED[method]
    for answer in ANSWERED[method]:
        sent = json.loads(to_wire_answer(method, answer).to_json())
        printed.validate(name.removesuffix("Params") + "Response", sent)


def test_the_comparison_finds_what_is_wrong(printed: Printed) -> None:
    class Wrong(Wire):
        id: int
        text: str
        nothing: str = ""
        phase: str

    document = printed.file("ServerNotification")
    variants = document["definitions"]["ThreadItem"]["oneOf"]
    (message,) = [entry for entry in variants if entry["properties"]["type"]["enum"] == ["agentMessage"]]
    ours = Wrong.model_json_schema()
    found = problems(ours, ours, message, document, "Wrong")
    assert [problem.partition(":")[0] for problem in found] == [
        "Wrong.id",
        "Wrong.nothing",
        "Wrong.phase",
        "Wrong.phase",
    ]
