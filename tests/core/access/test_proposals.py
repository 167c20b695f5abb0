"""Rules made from a request, and what they would have decided before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from core.access.patterns import HostPattern, PathPattern, ToolPattern
from core.access.policy import Verdict
from core.access.proposals import propose
from core.access.rules import Reach, Rule, RuleDraft, Scope, decide
from core.agent.requests import Request
from tests.core.access.cases import (
    HERE,
    NOW_MS,
    RIGHT,
    WORKSPACE,
    as_it_is,
    authorized,
    command,
    files,
    permissions,
    rule,
    tool,
)
from tests.core.access.lines import any_lines


def numbered(drafts: tuple[RuleDraft, ...]) -> tuple[Rule, ...]:
    return tuple(
        rule(number, draft.verdict, draft.pattern, draft.scope) for number, draft in enumerate(drafts, 1)
    )


def labels(request: Request) -> list[str]:
    return [proposal.label for proposal in propose(request, HERE, as_it_is)]


def test_a_command_is_proposed_as_it_is_and_with_any_arguments() -> None:
    assert labels(command("/bin/bash -lc 'git log -n 3'")) == ["allow git log -n 3", "allow git log …"]
    assert labels(command("./run.sh --fast")) == ["allow ./run.sh --fast", "allow ./run.sh …"]
    assert labels(command("ls src/*")) == ["allow ls …"]


def test_a_list_is_proposed_command_by_command() -> None:
    assert labels(command("git log -p | head; git log -p")) == [
        "allow git log -p, and allow head",
        "allow git log …, and allow head …",
    ]


def test_a_file_a_host_and_a_tool_are_proposed_by_name() -> None:
    [file, folder] = propose(files("src/a.py"), HERE, as_it_is)
    assert file.rules[0].pattern == PathPattern(f"{WORKSPACE}/src/a.py")
    assert folder.rules[0].pattern == PathPattern(WORKSPACE)
    [host] = propose(command("curl x", host="Example.com"), HERE, as_it_is)
    assert host.rules[0].pattern == HostPattern("example.com")
    [one] = propose(tool("knowledge.read"), HERE, as_it_is)
    assert one.rules[0].pattern == ToolPattern("knowledge.read")


def test_a_proposal_reaches_the_workspace_unless_told_otherwise() -> None:
    assert propose(command("ls"), HERE, as_it_is)[0].rules[0].scope == Scope(Reach.WORKSPACE, WORKSPACE)
    [proposal, _] = propose(command("ls"), HERE, as_it_is, reach=Reach.CONVERSATION)
    assert proposal.rules[0].scope == Scope(Reach.CONVERSATION, "c")


@pytest.mark.parametrize(
    "request_",
    [
        command("git status > x"),
        command("$(x)"),
        command("sudo ls"),
        command("ls", stdin=True),
        command("ls", "/elsewhere"),
        command("ls", rights=(RIGHT,)),
        command("ls", host="not a host"),
        permissions(),
        files(),
    ],
    ids=str,
)
def test_nothing_is_proposed_where_no_rule_could_allow_it(request_: Request) -> None:
    assert propose(request_, HERE, as_it_is) == ()


@pytest.mark.parametrize("line", ["g*t status", "$x status", "'' x"])
def test_nothing_is_proposed_for_a_program_without_a_name(line: str) -> None:
    assert propose(command(line), HERE, as_it_is, Verdict.DENY) == ()


def test_a_denial_is_proposed_for_what_could_be_read() -> None:
    [exact, _] = propose(command("rm -rf x > log"), HERE, as_it_is, Verdict.DENY)
    assert exact.label == "deny rm -rf x"


@settings(max_examples=200, deadline=None)
@given(line=any_lines)
def test_what_is_proposed_decides_the_request_it_came_from(line: str) -> None:
    for verdict in (Verdict.ALLOW, Verdict.DENY):
        for proposal in propose(command(line), HERE, as_it_is, verdict):
            decision = decide(command(line), HERE, numbered(proposal.rules), authorized(), NOW_MS, as_it_is)
            assert decision.verdict is verdict
