"""Profiles: what they may do, and what is bound to a run."""

from __future__ import annotations

import pytest

from core.access.policy import (
    AUTOPILOT,
    OBSERVER,
    OPERATOR,
    SHIPPED,
    AccessContext,
    AccessPolicy,
    Action,
    Profile,
    ProfileId,
    Verdict,
    authorize,
    describe,
    strictest,
)
from core.agent.port import Sandbox
from core.errors import Unauthorized

POLICY = AccessPolicy.shipped()


def test_three_profiles_ship() -> None:
    assert set(POLICY.profiles) == {"observer", "operator", "autopilot"}


def test_own_profiles_come_beside_the_shipped_ones() -> None:
    own = Profile(ProfileId("own"), "", Sandbox.READ_ONLY)
    assert AccessPolicy.with_own([own]).profiles == {**POLICY.profiles, "own": own}


def test_what_a_profile_does_not_speak_of_is_asked() -> None:
    assert Profile(ProfileId("p"), "", Sandbox.READ_ONLY).verdict(Action.COMMAND) is Verdict.ASK


@pytest.mark.parametrize("action", [Action.COMMAND, Action.FILE_CHANGE, Action.PERMISSIONS, Action.NETWORK])
def test_an_observer_changes_and_reaches_nothing(action: Action) -> None:
    assert OBSERVER.verdict(action) is Verdict.DENY


@pytest.mark.parametrize("profile", SHIPPED, ids=lambda profile: profile.id)
def test_no_shipped_profile_widens_rights_or_reaches_hosts_by_itself(profile: Profile) -> None:
    assert profile.verdict(Action.PERMISSIONS) is not Verdict.ALLOW
    assert profile.verdict(Action.NETWORK) is not Verdict.ALLOW


@pytest.mark.parametrize(
    ("profile", "sandbox"),
    [
        ("observer", Sandbox.WORKSPACE_WRITE),
        ("observer", Sandbox.FULL_ACCESS),
        ("autopilot", Sandbox.FULL_ACCESS),
    ],
)
def test_a_profile_refuses_a_wider_sandbox(profile: str, sandbox: Sandbox) -> None:
    with pytest.raises(Unauthorized, match="no wider than"):
        authorize(AccessContext("/w", sandbox), ProfileId(profile), POLICY)


@pytest.mark.parametrize("sandbox", [None, *Sandbox])
def test_an_operator_may_run_with_every_sandbox(sandbox: Sandbox | None) -> None:
    bound = authorize(AccessContext("/w", sandbox), OPERATOR.id, POLICY)
    assert (bound.profile, bound.context.sandbox) == (OPERATOR, sandbox)


def test_a_profile_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(Unauthorized, match="autopilot, observer, operator"):
        authorize(AccessContext("/w"), ProfileId("nobody"), POLICY)


def test_the_strictest_of_verdicts_counts() -> None:
    assert strictest([Verdict.ALLOW, Verdict.DENY, Verdict.ASK]) is Verdict.DENY
    assert strictest([Verdict.ALLOW, Verdict.ASK]) is Verdict.ASK
    assert strictest([]) is Verdict.ALLOW


@pytest.mark.parametrize("profile", SHIPPED, ids=lambda profile: profile.id)
def test_a_profile_is_described_action_by_action(profile: Profile) -> None:
    lines = describe(profile)
    assert len(set(lines)) == 1 + len(Action)
    for action, line in zip(Action, lines[1:], strict=True):
        assert ("denied" in line) == (profile.verdict(action) is Verdict.DENY)
        assert ("go ahead" in line) == (profile.verdict(action) is Verdict.ALLOW)


def test_the_description_tells_the_profiles_apart() -> None:
    assert describe(OBSERVER)[0] == (
        "Without being asked about, commands can at most read files, and change nothing."
    )
    assert describe(AUTOPILOT)[1] == (
        "Commands that Codex asks about go ahead, unless a rule denies them or asks."
    )
    assert describe(OPERATOR)[1] == "Commands that Codex asks about are asked about, unless a rule decides."
