"""What rules would have done before is what they do afterwards."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.access.foresight import FIRST_NEW, Foresight, Past, foresee
from core.access.patterns import PathPattern
from core.access.policy import OBSERVER, OPERATOR, Verdict
from core.access.proposals import propose
from core.access.rules import Place, Reach, Rule, RuleDraft, Scope, decide, draft_of, numbered
from core.agent.requests import CommandApproval, Request
from tests.core.access.cases import (
    EVERYWHERE,
    HERE,
    NOW_MS,
    as_it_is,
    authorized,
    command,
    files,
    permissions,
    rule,
)
from tests.core.access.lines import any_lines

PAST = (
    command("git status"),
    command("git status -s && git log"),
    command("git status; rm x"),
    command("git status > x"),
    command("git log"),
    command("cargo build"),
    files("a.py"),
    permissions(),
    command("git status"),
)


def past(requests: tuple[Request, ...], place: Place = HERE) -> list[Past]:
    return [Past(number, request, place) for number, request in enumerate(requests)]


def seen(draft: RuleDraft, existing: tuple[Rule, ...] = (), where: Place = HERE) -> Foresight:
    return foresee([draft_of(draft)], existing, past(PAST, where), OPERATOR, NOW_MS, as_it_is)


def words(found: tuple[object, ...]) -> list[str]:
    return [one.request.command for one in found if isinstance(getattr(one, "request"), CommandApproval)]  # type: ignore[attr-defined]  # noqa: B009


def test_what_an_allowing_rule_matches_is_counted_and_what_it_leaves_of_its_likeness_says_why() -> None:
    found = seen(rule(1, Verdict.ALLOW, "git status …"))
    assert [(one.decision_id, one.times) for one in found.matched] == [(0, 2)]
    assert words(found.missed) == [
        "git status -s && git log",
        "git status; rm x",
        "git status > x",
        "git log",
    ]
    assert [one.why for one in found.missed][1:] == [
        "No rule matches rm x.",
        "No rule can allow it: it redirects to or from a file.",
        "No rule matches git log.",
    ]


def test_a_denying_rule_matches_whatever_holds_it() -> None:
    assert words(seen(rule(1, Verdict.DENY, "rm …")).matched) == ["git status; rm x"]


def test_a_path_rule_is_measured_by_file_changes_alone() -> None:
    found = seen(RuleDraft(verdict=Verdict.ALLOW, pattern=PathPattern("/etc"), scope=EVERYWHERE))
    assert found.matched == ()
    assert [one.decision_id for one in found.missed] == [6]


def test_what_an_earlier_rule_decides_is_not_the_new_ones() -> None:
    found = seen(rule(2, Verdict.ALLOW, "git status …"), (rule(1, Verdict.DENY, "git status"),))
    assert found.matched == ()
    assert "Rule 1" in found.missed[0].why


def test_outside_its_scope_nothing_is_foreseen() -> None:
    there = rule(1, Verdict.ALLOW, "git status …", Scope(Reach.WORKSPACE, "/elsewhere"))
    assert seen(there) == Foresight()
    assert seen(there, where=Place("c", "/elsewhere")).missed


def test_a_profile_that_denies_leaves_a_rule_nothing_to_match() -> None:
    draft = draft_of(rule(1, Verdict.ALLOW, "git status …"))
    assert foresee([draft], (), past(PAST), OBSERVER, NOW_MS, as_it_is).matched == ()


def test_a_rule_that_has_expired_matches_nothing() -> None:
    draft = RuleDraft(
        verdict=Verdict.ALLOW,
        pattern=rule(1, Verdict.ALLOW, "git status …").pattern,
        scope=EVERYWHERE,
        expires_at_ms=NOW_MS,
    )
    assert seen(draft) == Foresight()


PATTERNS = ("git status …", "git …", "rm …", "git log", "cargo * …", "ls -l")
rules = st.lists(
    st.builds(
        lambda pattern, verdict, enabled: (pattern, verdict, enabled),
        st.sampled_from(PATTERNS),
        st.sampled_from(Verdict),
        st.booleans(),
    ),
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(any_lines, min_size=1, max_size=4), kept=rules)
def test_what_is_foreseen_of_a_proposal_is_what_the_judge_decides_once_it_is_kept(
    lines: list[str], kept: list[tuple[str, Verdict, bool]]
) -> None:
    existing = tuple(
        numbered(
            RuleDraft(
                verdict=verdict,
                pattern=rule(1, verdict, pattern).pattern,
                scope=EVERYWHERE,
                enabled=enabled,
            ),
            place,
        )
        for place, (pattern, verdict, enabled) in enumerate(kept, 1)
    )
    asked = tuple(command(line) for line in dict.fromkeys(lines))
    for proposal in propose(asked[0], HERE, as_it_is, reach=Reach.WORKSPACE):
        found = foresee(proposal.rules, existing, past(asked), OPERATOR, NOW_MS, as_it_is)
        matched = {one.decision_id for one in found.matched}
        new = tuple(numbered(draft, FIRST_NEW + n) for n, draft in enumerate(proposal.rules))
        for number, request in enumerate(asked):
            decision = decide(request, HERE, (*existing, *new), authorized(), NOW_MS, as_it_is)
            assert (number in matched) == any(id_ >= FIRST_NEW for id_ in decision.rules)
            if number in matched:
                assert decision.verdict is Verdict.ALLOW


@settings(max_examples=150, deadline=None)
@given(line=any_lines, kept=rules, data=st.data())
def test_the_first_that_matches_counts_whatever_is_disabled_or_moved(
    line: str, kept: list[tuple[str, Verdict, bool]], data: st.DataObject
) -> None:
    made = [rule(place, verdict, pattern) for place, (pattern, verdict, _) in enumerate(kept, 1)]
    order = data.draw(st.permutations(made))
    disabled = {one.id for one, (_, _, enabled) in zip(made, kept, strict=True) if not enabled}
    switched = [
        Rule(
            id=one.id,
            verdict=one.verdict,
            pattern=one.pattern,
            scope=one.scope,
            enabled=one.id not in disabled,
        )
        for one in order
    ]
    without = [one for one in order if one.id not in disabled]
    asked = command(line)
    assert decide(asked, HERE, switched, authorized(), NOW_MS, as_it_is) == decide(
        asked, HERE, without, authorized(), NOW_MS, as_it_is
    )
