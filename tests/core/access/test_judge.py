"""The judge: rules that are kept, links on the disk, and the answer for Codex."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.access.judge import Judge, answer_of
from core.access.patterns import PathPattern, ToolPattern
from core.access.policy import AUTOPILOT, OBSERVER, OPERATOR, AccessContext, Authorization, Verdict
from core.access.rules import Rule
from core.agent.requests import Decide, Elicited, Grant, McpLink, Request, RequestKey
from core.errors import InvalidState, QuarterdeckError, StoreError
from tests.core.access.cases import NOW_MS, RIGHT, allow, authorized, command, deny, files, permissions, tool


class Kept:
    """Rules in memory; reading them raises `error` where it is set."""

    def __init__(self, *rules: Rule, error: QuarterdeckError | None = None) -> None:
        self.rules = rules
        self.error = error
        self.hits: list[tuple[tuple[int, ...], int]] = []

    async def in_order(self) -> Sequence[Rule]:
        if self.error is not None:
            raise self.error
        return self.rules

    async def hit(self, rule_ids: Sequence[int], at_ms: int) -> None:
        self.hits.append((tuple(rule_ids), at_ms))


def judge_of(kept: Kept) -> Judge:
    return Judge(kept, clock=lambda: NOW_MS)


async def test_a_decision_of_rules_is_counted_for_each_of_them() -> None:
    kept = Kept(allow(1, "git …"), allow(2, "ls …"), deny(3, "rm …"))
    judge = judge_of(kept)
    decision = await judge.judge(command("git status; ls; git log"), "c", authorized())
    assert (decision.verdict, decision.rules) == (Verdict.ALLOW, (1, 2))
    assert decision.by == "rule 1: allow git …; rule 2: allow ls …"
    assert kept.hits == []
    await judge.count(decision)
    assert kept.hits == [((1, 2), NOW_MS)]


async def test_what_no_rule_decided_is_counted_for_none() -> None:
    kept = Kept()
    judge = judge_of(kept)
    await judge.count(await judge.judge(command("ls"), "c", authorized(AUTOPILOT)))
    assert kept.hits == []


@pytest.mark.parametrize(
    "error", [StoreError("the disk is gone"), InvalidState("rule 3 cannot be read")], ids=str
)
async def test_rules_that_cannot_be_read_leave_it_to_a_person(error: QuarterdeckError) -> None:
    judge = judge_of(Kept(error=error))
    for profile, expected in ((OBSERVER, Verdict.DENY), (OPERATOR, Verdict.ASK), (AUTOPILOT, Verdict.ASK)):
        assert (await judge.judge(command("ls"), "c", authorized(profile))).verdict is expected
    assert (await judge.judge_tool("x", "c", authorized())).verdict is Verdict.ASK


async def test_a_thread_that_is_nobodys_is_left_to_a_person() -> None:
    decision = await judge_of(Kept(allow(1, "ls"))).judge(command("ls"), None, None)
    assert decision.verdict is Verdict.ASK


async def test_a_link_out_of_the_workspace_is_seen(tmp_path: Path) -> None:
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    workspace.mkdir()
    outside.mkdir()
    (workspace / "link").symlink_to(outside)
    judge = judge_of(Kept(allow(1, PathPattern(str(workspace))), allow(2, "ls"), allow(3, "cd …")))
    here = Authorization(AccessContext(str(workspace)), OPERATOR)
    for request, expected in (
        (files("a.py"), Verdict.ALLOW),
        (files("link/a.py"), Verdict.ASK),
        (files("a\0.py"), Verdict.ASK),
        (command("ls", str(workspace)), Verdict.ALLOW),
        (command("ls", str(workspace / "link")), Verdict.ASK),
        (command("cd link && ls", str(workspace)), Verdict.ASK),
        (command("cd link/.. && ls", str(workspace)), Verdict.ASK),
    ):
        assert (await judge.judge(request, "c", here)).verdict is expected, request


async def test_a_workspace_that_is_itself_reached_by_a_link_is_one_place(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    judge = judge_of(Kept(allow(1, "ls")))
    here = Authorization(AccessContext(str(tmp_path / "link")), OPERATOR)
    for cwd in (real, tmp_path / "link"):
        assert (await judge.judge(command("ls", str(cwd)), "c", here)).verdict is Verdict.ALLOW


async def test_a_tool_is_judged_by_profile_and_rules() -> None:
    judge = judge_of(Kept(deny(1, ToolPattern("write")), allow(2, ToolPattern("read"))))
    assert (await judge.judge_tool("write", "c", authorized())).verdict is Verdict.DENY
    assert (await judge.judge_tool("other", "c", authorized())).verdict is Verdict.ALLOW
    assert (await judge.judge_tool("read", "c", authorized(OBSERVER))).verdict is Verdict.ALLOW
    assert (await judge.judge_tool("other", "c", authorized(OBSERVER))).verdict is Verdict.ASK


@pytest.mark.parametrize("request_", [command("ls"), files("a.py")], ids=lambda request_: request_.kind)
def test_a_verdict_becomes_one_of_the_choices_offered(request_: Request) -> None:
    allowed, denied = answer_of(request_, Verdict.ALLOW), answer_of(request_, Verdict.DENY)
    assert isinstance(allowed, Decide)
    assert isinstance(denied, Decide)
    assert (allowed.choice.verb, denied.choice.verb) == ("accept", "decline")
    assert answer_of(request_, Verdict.ASK) is None


def test_what_is_not_offered_is_left_to_a_person() -> None:
    request = command("ls").model_copy(update={"choices": ()})
    assert answer_of(request, Verdict.ALLOW) is None


def test_rights_are_granted_whole_or_not_at_all() -> None:
    assert answer_of(permissions(), Verdict.ALLOW) == Grant(rights=(RIGHT,))
    assert answer_of(permissions(), Verdict.DENY) == Grant(rights=())


def test_a_link_can_be_declined_but_not_opened_without_a_person() -> None:
    link = McpLink(
        key=RequestKey(generation="g", id=0),
        thread_id="t",
        turn_id="u",
        item_id="",
        server="s",
        message="",
        url="https://example.com",
    )
    assert answer_of(link, Verdict.DENY) == Elicited(action="decline")
    assert answer_of(link, Verdict.ALLOW) is None
    assert answer_of(tool("x"), Verdict.ALLOW) is None
