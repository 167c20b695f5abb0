"""What rules decide: the first that matches, all of a request, and never more than the profile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from core.access.patterns import CommandPattern, HostPattern, Match, PathPattern, ToolPattern
from core.access.policy import AUTOPILOT, OBSERVER, OPERATOR, SHIPPED, Action, Profile, ProfileId, Verdict
from core.access.rules import Decision, Place, Reach, Rule, Scope, decide, rule_on
from core.access.shell import Line, SimpleCommand, parse_command
from core.access.words import Word
from core.agent.port import Sandbox
from core.agent.requests import McpForm, OtherRequest, Question, QuestionPart, Request, RequestKey, Right
from tests.core.access.bash import run_in_bash
from tests.core.access.cases import (
    HERE,
    NOW_MS,
    RIGHT,
    WORKSPACE,
    WRITE,
    allow,
    as_it_is,
    ask,
    authorized,
    command,
    deny,
    files,
    permissions,
    rule,
    tool,
)
from tests.core.access.escapes import ESCAPES
from tests.core.access.lines import ALLOWED, any_lines

GENEROUS = tuple(
    allow(number, f"{program} …")
    for number, program in enumerate(
        [
            "git",
            "ls",
            "echo",
            "cat",
            "find",
            "tar",
            "sed",
            "awk",
            "fd",
            "rg",
            "sort",
            "test",
            "apply_patch",
            "cargo",
            "cd",
            "printf",
            "python",
            "perl",
            "node",
            "rsync",
            "ssh",
            "curl",
            "sh",
            "bash",
            "env",
            "sudo",
            "xargs",
            "eval",
            "exec",
            "command",
            "time",
            "rm",
            "x",
        ]
    )
)
"""Rules of somebody who allows nearly everything, without a thought."""

EVERY_REQUEST: tuple[Request, ...] = (
    command("git status"),
    command("git status; rm x"),
    command("$(x)"),
    command("y", stdin=True),
    command("ls", host="example.com"),
    command("ls", rights=(RIGHT,)),
    command("ls", "/elsewhere"),
    files("a.py"),
    files("/etc/passwd"),
    files("a.py", grant_root="/etc"),
    permissions(),
    tool("knowledge.read"),
)


def decided(
    request: Request,
    rules: Sequence[Rule],
    profile: Profile = OPERATOR,
    place: Place = HERE,
    now_ms: int = NOW_MS,
) -> Decision:
    return decide(request, place, rules, authorized(profile), now_ms, as_it_is)


def verdict(line: str, *rules: Rule, profile: Profile = OPERATOR) -> Verdict:
    return decided(command(line), rules, profile).verdict


@pytest.mark.parametrize("line", ESCAPES)
def test_nothing_rides_on_an_allowed_command(line: str) -> None:
    assert verdict(line, *GENEROUS) is not Verdict.ALLOW


@pytest.mark.parametrize("line", ["git status", "git status; ls -l | cat", "/bin/bash -lc 'git log && rm x'"])
def test_what_is_plain_and_covered_is_allowed(line: str) -> None:
    assert verdict(line, *GENEROUS) is Verdict.ALLOW


@pytest.mark.parametrize(
    "line",
    ["git status; rm -rf /", "git status && curl x | sh", "git status $(rm x)", "rm x", "git push", "git"],
)
def test_a_rule_for_git_status_covers_nothing_else(line: str) -> None:
    assert verdict(line, allow(1, "git status …")) is Verdict.ASK


@pytest.mark.parametrize("line", ["git status", "git  status -s", 'g"i"t status', "git status && git status"])
def test_a_rule_for_git_status_covers_it_however_it_is_written(line: str) -> None:
    assert verdict(line, allow(1, "git status …")) is Verdict.ALLOW


def test_an_exact_rule_covers_no_more_words() -> None:
    assert verdict("git status", allow(1, "git status")) is Verdict.ALLOW
    assert verdict("git status -s", allow(1, "git status")) is Verdict.ASK


def test_a_star_stands_for_one_word_that_is_no_option() -> None:
    rules = (allow(1, "git show * x"),)
    assert verdict("git show HEAD x", *rules) is Verdict.ALLOW
    assert verdict("git show HEAD y x", *rules) is Verdict.ASK
    assert verdict("git show --anything x", *rules) is Verdict.ASK
    assert verdict("git show src/* x", *rules) is Verdict.ASK


def test_a_program_elsewhere_is_not_allowed_by_its_name_but_denied_by_it() -> None:
    assert verdict("./git status", allow(1, "git status")) is Verdict.ASK
    assert verdict("/bin/rm x", deny(1, "rm …"), allow(2, "/bin/rm …")) is Verdict.DENY


def test_one_denied_command_denies_the_line() -> None:
    assert verdict("git status; rm x", allow(1, "git …"), deny(2, "rm …")) is Verdict.DENY
    assert verdict("git status $(rm x)", allow(1, "git …"), deny(2, "rm …")) is Verdict.DENY


def test_one_asked_command_asks_for_the_line() -> None:
    decision = decided(command("git status; rm x"), (ask(1, "rm …"), allow(2, "git …"), allow(3, "rm …")))
    assert decision.verdict is Verdict.ASK
    assert decision.rules == (1,)


def test_what_a_shell_may_make_denied_is_asked() -> None:
    assert verdict("cat src/*", deny(1, "cat src/secret"), allow(2, "cat …")) is Verdict.ASK
    assert verdict("cat src/x", deny(1, "cat src/secret"), allow(2, "cat …")) is Verdict.ALLOW


@pytest.mark.parametrize(
    "line", ["x=rm; $x a", "echo $(rm a)", "sudo rm a", "bash -c 'rm a'", "rm$IFS-rf", "env rm a"]
)
def test_a_profile_that_allows_does_not_let_a_denied_command_hide(line: str) -> None:
    assert verdict(line, profile=AUTOPILOT) is Verdict.ALLOW
    assert verdict(line, deny(1, "rm …"), profile=AUTOPILOT) is not Verdict.ALLOW


def test_a_rule_narrows_what_the_profile_allows() -> None:
    assert verdict("git push", profile=AUTOPILOT) is Verdict.ALLOW
    assert verdict("git push", ask(1, "git push …"), profile=AUTOPILOT) is Verdict.ASK
    assert verdict("git push", deny(1, "git push …"), profile=AUTOPILOT) is Verdict.DENY
    assert verdict("git pull", deny(1, "git push …"), profile=AUTOPILOT) is Verdict.ALLOW


@pytest.mark.parametrize("request_", EVERY_REQUEST, ids=str)
def test_without_authorization_a_person_decides(request_: Request) -> None:
    decision = decide(request_, HERE, GENEROUS, None, NOW_MS, as_it_is)
    assert decision.verdict is Verdict.ASK
    assert decision.by == ""


def test_rules_that_cannot_be_read_leave_only_what_the_profile_denies() -> None:
    assert decide(command("ls"), HERE, None, authorized(OBSERVER), NOW_MS, as_it_is).verdict is Verdict.DENY
    for profile in (OPERATOR, AUTOPILOT):
        assert decide(command("ls"), HERE, None, authorized(profile), NOW_MS, as_it_is).verdict is Verdict.ASK


def test_a_rule_holds_in_its_scope_alone() -> None:
    for scope, elsewhere in (
        (Scope(Reach.CONVERSATION, "c"), Place("d", WORKSPACE)),
        (Scope(Reach.WORKSPACE, WORKSPACE), Place("c", "/home/dev/other")),
    ):
        rules = (allow(1, "ls", scope),)
        assert decided(command("ls"), rules).verdict is Verdict.ALLOW
        assert decided(command("ls", elsewhere.workspace), rules, place=elsewhere).verdict is Verdict.ASK


def test_a_rule_that_is_off_or_over_decides_nothing() -> None:
    lasting = rule(1, Verdict.ALLOW, "ls", expires_at_ms=NOW_MS + 1)
    assert decided(command("ls"), (lasting,)).verdict is Verdict.ALLOW
    assert decided(command("ls"), (lasting,), now_ms=NOW_MS + 1).verdict is Verdict.ASK
    assert decided(command("ls"), (rule(1, Verdict.ALLOW, "ls", enabled=False),)).verdict is Verdict.ASK


def test_every_path_of_a_change_must_be_covered() -> None:
    docs = allow(1, PathPattern(f"{WORKSPACE}/docs"))
    assert decided(files("docs/a.md", f"{WORKSPACE}/docs/b.md"), (docs,)).verdict is Verdict.ALLOW
    assert decided(files("docs/a.md", "src/b.py"), (docs,)).verdict is Verdict.ASK
    assert decided(files("docs/../src/b.py"), (docs,)).verdict is Verdict.ASK
    assert decided(files("docs-of-others/a.md"), (docs,)).verdict is Verdict.ASK
    assert decided(files("docs/a.md", moved_to="src/a.md"), (docs,)).verdict is Verdict.ASK
    assert decided(files("docs/a.md", grant_root="/etc"), (docs,)).verdict is Verdict.ASK
    assert decided(
        files("docs/a.md", "src/b.py"), (docs, deny(2, PathPattern(f"{WORKSPACE}/src")))
    ).verdict is (Verdict.DENY)


def test_a_change_that_cannot_be_seen_is_asked_about() -> None:
    assert decided(files(), (allow(1, PathPattern("/")),)).verdict is Verdict.ASK


def test_a_symbolic_link_leads_out_of_no_rule_and_into_every_denial() -> None:
    def linked(path: str) -> str:
        return path.replace(f"{WORKSPACE}/docs/link", "/etc")

    request = files("docs/link/passwd")
    docs, etc = allow(1, PathPattern(f"{WORKSPACE}/docs")), deny(2, PathPattern("/etc"))
    assert decide(request, HERE, (docs,), authorized(), NOW_MS, linked).verdict is Verdict.ASK
    assert decide(request, HERE, (docs, etc), authorized(), NOW_MS, linked).verdict is Verdict.DENY
    assert decide(request, HERE, (), authorized(AUTOPILOT), NOW_MS, linked).verdict is Verdict.ASK


@pytest.mark.parametrize(
    ("pattern", "host", "covered"),
    [
        ("example.com", "example.com", True),
        ("example.com", "EXAMPLE.com.", True),
        ("example.com", "www.example.com", False),
        ("example.com", "example.com.evil.org", False),
        ("*.example.com", "www.example.com", True),
        ("*.example.com", "example.com", False),
        ("*.example.com", "badexample.com", False),
        ("example.com", "ex\u0430mple.com", False),
    ],
)
def test_a_host_is_covered_by_its_name(pattern: str, host: str, covered: bool) -> None:
    rules = (allow(1, HostPattern(pattern)), allow(2, "curl …"))
    expected = Verdict.ALLOW if covered else Verdict.ASK
    assert decided(command("curl x", host=host), rules).verdict is expected


def test_a_tool_is_covered_by_its_whole_name() -> None:
    asking = Profile(ProfileId("p"), "", Sandbox.FULL_ACCESS)
    rules = (allow(1, ToolPattern("knowledge.read")),)
    assert decided(tool("knowledge.read"), rules, asking).verdict is Verdict.ALLOW
    assert decided(tool("knowledge.write"), rules, asking).verdict is Verdict.ASK
    assert decided(tool("knowledge.read"), (deny(1, ToolPattern("knowledge.read")),)).verdict is Verdict.DENY


@pytest.mark.parametrize(
    "request_",
    [
        command("ls", stdin=True),
        command("ls", rights=(RIGHT,)),
        command("ls", "/elsewhere"),
        command("ls", ""),
        command("ls", f"{WORKSPACE}/../other"),
        command("cd /elsewhere && ls"),
        command("cd .. && ls"),
        command("cd x || ls; cd ../.. && ls"),
        command("cd nothing; cd .. && ls"),
        command("cd - && ls"),
        command("cd && ls"),
        command("cd src/* && ls"),
        command("cd " + " && cd ".join(f"d{n}" for n in range(12))),
        command("ls", host="example.com", rights=(RIGHT,)),
    ],
    ids=lambda request_: request_.command[:30],
)
def test_an_allowed_command_is_asked_about_where_more_comes_with_it(request_: Request) -> None:
    everything = (allow(1, "ls …"), allow(2, "cd …"), allow(3, HostPattern("example.com")))
    assert decided(request_, everything).verdict is Verdict.ASK


@pytest.mark.parametrize(
    "line", ["cd src && ls", f"cd {WORKSPACE}/src && ls", "cd a; cd ./b; ls", "cd a/.. && ls"]
)
def test_going_about_in_the_workspace_is_allowed_by_a_rule(line: str) -> None:
    assert verdict(line, allow(1, "ls …")) is Verdict.ASK
    assert verdict(line, allow(1, "ls …"), allow(2, "cd …")) is Verdict.ALLOW


@pytest.mark.parametrize("line", ["ls", "cd /elsewhere && ls"])
def test_the_autopilot_asks_for_what_runs_outside_the_workspace(line: str) -> None:
    outside = command(line, "/elsewhere")
    assert decided(outside, (), AUTOPILOT).verdict is Verdict.ASK


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (files("src/a.py"), Verdict.ALLOW),
        (files("/etc/passwd"), Verdict.ASK),
        (files("../other/a.py"), Verdict.ASK),
        (files("src/a.py", grant_root="/home"), Verdict.ASK),
        (command("ls", rights=(RIGHT,)), Verdict.ASK),
        (command("ls", host="example.com"), Verdict.ASK),
        (permissions(), Verdict.ASK),
    ],
    ids=lambda value: getattr(value, "kind", str(value)),
)
def test_the_autopilot_asks_for_wider_rights(request_: Request, expected: Verdict) -> None:
    assert decided(request_, (), AUTOPILOT).verdict is expected


C, F, P, N = Action.COMMAND, Action.FILE_CHANGE, Action.PERMISSIONS, Action.NETWORK
UNTOLD = Right(label="camera", raw='{"camera":{"enabled":true}}')


@pytest.mark.parametrize(
    ("request_", "actions"),
    [
        (command("ls"), {C}),
        (command("ls", rights=(RIGHT,)), {C, P, N}),
        (command("ls", rights=(WRITE,)), {C, P, F}),
        (command("ls", rights=(RIGHT, WRITE)), {C, P, N, F}),
        (command("ls", "/elsewhere"), {C, P}),
        (command(""), {C, P}),
        (command("y", stdin=True), {C}),
        (command("y", "/elsewhere", stdin=True), {C, P}),
        (command("ls", host="example.com"), {N}),
        (command("ls", host="example.com", rights=(WRITE,)), {N, P, F}),
        (files("a.py"), {F}),
        (files("/etc/passwd"), {F, P}),
        (files("a.py", grant_root="/etc"), {F, P}),
        (files(), {F, P}),
        (permissions(), {P, N}),
        (permissions(WRITE), {P, F}),
        (permissions(Right(label="Read /etc", raw="{}", to="read")), {P}),
        (permissions(UNTOLD), {P, N, F}),
    ],
    ids=lambda value: getattr(value, "kind", None) or " ".join(sorted(value)),
)
def test_what_asks_for_several_things_is_allowed_by_a_profile_that_allows_them_all(
    request_: Request, actions: set[Action]
) -> None:
    def profile(allowed: set[Action], rest: Verdict) -> Profile:
        verdicts = {action: Verdict.ALLOW if action in allowed else rest for action in Action}
        return Profile(ProfileId("own"), "", Sandbox.FULL_ACCESS, verdicts)

    assert decided(request_, (), profile(actions, Verdict.DENY)).verdict is Verdict.ALLOW
    for missing in actions:
        assert decided(request_, (), profile(actions - {missing}, Verdict.ASK)).verdict is Verdict.ASK
        assert decided(request_, (), profile(set(Action) - {missing}, Verdict.DENY)).verdict is Verdict.DENY


def test_questions_forms_and_unknown_requests_are_for_a_person() -> None:
    common = {"key": RequestKey(generation="g", id=0), "thread_id": "t", "turn_id": "u", "item_id": "i"}
    question = Question(**common, parts=(QuestionPart(id="q", header="", text="?"),))
    form = McpForm(**common, server="s", message="", form_json="{}")
    other = OtherRequest(**common, method="new", raw="{}")
    for request in (question, form, other):
        for profile in SHIPPED:
            assert decided(request, GENEROUS, profile).verdict is Verdict.ASK


@pytest.mark.parametrize(
    ("line", "rules", "why"),
    [
        ("ls", (), "No rule matches ls."),
        ("ls", (allow(3, "ls"),), "All of it is allowed by rule 3: allow ls."),
        ("ls; rm x", (allow(3, "ls"), deny(4, "rm …")), "Rule 4 (deny rm …) matches rm x."),
        ("ls > x", (allow(3, "ls"),), "No rule can allow it: it redirects to or from a file."),
        ("ls; git log; ls", (allow(3, "ls"),), "No rule matches git log."),
    ],
)
def test_the_reason_is_a_sentence_for_the_person(line: str, rules: tuple[Rule, ...], why: str) -> None:
    assert decided(command(line), rules).why == why


def test_a_reason_is_one_short_line_whatever_the_command() -> None:
    decision = decided(command("ls 'a\nb' " + "x" * 3000), (deny(1, "ls …"),))
    assert "\n" not in decision.why
    assert len(decision.why) < 200


def test_an_observer_denies_whatever_the_rules_say() -> None:
    decision = decided(command("ls"), (allow(1, "ls"),), OBSERVER)
    assert (decision.verdict, decision.by) == (Verdict.DENY, "profile observer")
    assert decision.why == "The profile observer denies it, as every command."


_verdicts = st.sampled_from(list(Verdict))
_patterns = st.one_of(
    st.builds(
        CommandPattern,
        st.lists(st.sampled_from(["git", "status", "ls", "rm", "x"]), min_size=1, max_size=2).map(tuple),
        st.booleans(),
    ),
    st.sampled_from(["/", "/etc", WORKSPACE, f"{WORKSPACE}/a.py"]).map(PathPattern),
    st.sampled_from(["example.com", "*.com"]).map(HostPattern),
    st.just(ToolPattern("knowledge.read")),
)
_scopes = st.sampled_from(
    [Scope(Reach.EVERYWHERE), Scope(Reach.WORKSPACE, WORKSPACE), Scope(Reach.CONVERSATION, "d")]
)
_rules = st.lists(st.builds(lambda v, p, s: rule(0, v, p, s), _verdicts, _patterns, _scopes), max_size=8).map(
    lambda rules: tuple(
        rule(number, one.verdict, one.pattern, one.scope) for number, one in enumerate(rules, 1)
    )
)
_profiles = st.builds(
    lambda verdicts: Profile(ProfileId("p"), "", Sandbox.FULL_ACCESS, verdicts),
    st.dictionaries(st.sampled_from(list(Action)), _verdicts),
)


@given(request_=st.sampled_from(EVERY_REQUEST), rules=_rules, profile=_profiles)
def test_no_rules_ever_grant_what_the_profile_denies(
    request_: Request, rules: tuple[Rule, ...], profile: Profile
) -> None:
    alone = decided(request_, (), profile)
    with_rules = decided(request_, rules, profile)
    if alone.verdict is Verdict.DENY:
        assert with_rules == alone
    if all(one.verdict is not Verdict.ALLOW for one in rules) and alone.verdict is not Verdict.ALLOW:
        assert with_rules.verdict is not Verdict.ALLOW


def _naive(words: tuple[str, ...], rules: Sequence[Rule]) -> Verdict:
    """The first rule whose words the command begins with, or is: written down without the machinery."""
    for one in rules:
        if not isinstance(one.pattern, CommandPattern) or not one.in_force(HERE, NOW_MS):
            continue
        wanted = one.pattern.words
        if words == wanted or (not one.pattern.exact and words[: len(wanted)] == wanted):
            return one.verdict
    return Verdict.ASK


_words = st.lists(st.sampled_from(["git", "status", "ls", "rm", "x"]), min_size=1, max_size=3).map(tuple)


@given(commands=st.lists(_words, min_size=1, max_size=3), rules=_rules)
def test_the_first_rule_that_matches_wins_for_each_command(
    commands: list[tuple[str, ...]], rules: tuple[Rule, ...]
) -> None:
    naive = {_naive(words, rules) for words in commands}
    expected = next(v for v in (Verdict.DENY, Verdict.ASK, Verdict.ALLOW) if v in naive)
    line = " && ".join(" ".join(words) for words in commands)
    assert decided(command(line), rules).verdict is expected


@given(words=_words, rules=_rules)
def test_a_rule_behind_the_one_that_matches_changes_nothing(
    words: tuple[str, ...], rules: tuple[Rule, ...]
) -> None:
    part = SimpleCommand(tuple(Word(word) for word in words))
    ruling = rule_on(part, rules)
    if ruling.rule is None:
        assert all(one.pattern.match(part) is Match.NO for one in rules)
    else:
        first = rules.index(ruling.rule)
        assert rule_on(part, rules[: first + 1]) == ruling
        assert rule_on(part, rules[:first]).rule is None


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=any_lines)
def test_an_allowed_line_runs_only_what_is_covered_command_by_command(tmp_path: Path, line: str) -> None:
    rules = [allow(number, f"{prefix} …") for number, prefix in enumerate(ALLOWED)]
    if decided(command(line), rules).verdict is Verdict.ALLOW:
        event("allowed")
        parsed = parse_command(line)
        assert isinstance(parsed, Line)
        read = [tuple(word.text for word in one.words) for one in parsed.commands]
        for words in read + run_in_bash(line, tmp_path) + run_in_bash(line, tmp_path, 1):
            assert any(words[: len(prefix.split())] == tuple(prefix.split()) for prefix in ALLOWED), words
