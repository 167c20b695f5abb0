"""Profiles and what they allow. Pure.

A profile says, for each kind of action that is decided on, allow, ask or deny, and the widest sandbox it
may be run with. An authorization is bound for a run from a context, a profile and a policy: what a profile
denies, nothing later can grant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from core.agent.port import Sandbox
from core.errors import Unauthorized

ProfileId = NewType("ProfileId", str)


class Verdict(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


_STRICTNESS = {Verdict.ALLOW: 0, Verdict.ASK: 1, Verdict.DENY: 2}


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Deny before ask before allow; allow of none."""
    return max(verdicts, key=_STRICTNESS.__getitem__, default=Verdict.ALLOW)


class Action(StrEnum):
    """The kinds of things that are decided on.

    Codex asks for a COMMAND or a FILE_CHANGE where its own sandbox and approval policy do not settle it, so
    one that is accepted may reach outside the sandbox; it does not say which will (PROTOCOL, Requests from
    the server). PERMISSIONS is whatever is asked for beyond that: rights, or a place outside the workspace, or
    one that cannot be seen. A request may be several of them (a right to the network is PERMISSIONS and
    NETWORK): a profile has to allow them all.
    """

    COMMAND = "command"
    FILE_CHANGE = "file_change"
    PERMISSIONS = "permissions"
    NETWORK = "network"
    TOOL = "tool"
    QUESTION = "question"
    FORM = "form"


_WIDTH = {Sandbox.READ_ONLY: 0, Sandbox.WORKSPACE_WRITE: 1, Sandbox.FULL_ACCESS: 2}


def wider(one: Sandbox, other: Sandbox) -> bool:
    """Whether the first lets more happen than the second."""
    return _WIDTH[one] > _WIDTH[other]


@dataclass(frozen=True, slots=True)
class Profile:
    """`verdicts` for the actions it speaks of; the rest is asked."""

    id: ProfileId
    summary: str
    sandbox_at_most: Sandbox
    verdicts: Mapping[Action, Verdict] = field(default_factory=dict[Action, Verdict])

    def verdict(self, action: Action) -> Verdict:
        return self.verdicts.get(action, Verdict.ASK)


OBSERVER = Profile(
    ProfileId("observer"),
    "looks, and changes nothing: commands run only in the read-only sandbox",
    Sandbox.READ_ONLY,
    {
        Action.COMMAND: Verdict.DENY,
        Action.FILE_CHANGE: Verdict.DENY,
        Action.PERMISSIONS: Verdict.DENY,
        Action.NETWORK: Verdict.DENY,
    },
)
OPERATOR = Profile(
    ProfileId("operator"),
    "a person or a rule decides whatever leaves the sandbox",
    Sandbox.FULL_ACCESS,
    {Action.TOOL: Verdict.ALLOW},
)
AUTOPILOT = Profile(
    ProfileId("autopilot"),
    "commands and file changes in the workspace go ahead; wider rights are asked for",
    Sandbox.WORKSPACE_WRITE,
    {Action.COMMAND: Verdict.ALLOW, Action.FILE_CHANGE: Verdict.ALLOW, Action.TOOL: Verdict.ALLOW},
)
SHIPPED = (OBSERVER, OPERATOR, AUTOPILOT)


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """The profiles there are."""

    profiles: Mapping[ProfileId, Profile]

    @classmethod
    def shipped(cls) -> AccessPolicy:
        return cls.with_own(())

    @classmethod
    def with_own(cls, profiles: Iterable[Profile]) -> AccessPolicy:
        """The shipped ones and these, which have names of their own."""
        return cls({profile.id: profile for profile in (*SHIPPED, *profiles)})


@dataclass(frozen=True, slots=True)
class AccessContext:
    """Where a run takes place. `sandbox` None: not known yet, as Codex did not say what it would run in."""

    workspace: str
    sandbox: Sandbox | None = None


@dataclass(frozen=True, slots=True)
class Authorization:
    """What a run may do, from bind until it is taken back."""

    context: AccessContext
    profile: Profile

    def verdict(self, action: Action) -> Verdict:
        return self.profile.verdict(action)


def authorize(context: AccessContext, profile_id: ProfileId, policy: AccessPolicy) -> Authorization:
    """Bind a profile to a run. Raises Unauthorized where there is no such profile or it is too narrow."""
    profile = policy.profiles.get(profile_id)
    if profile is None:
        known = ", ".join(sorted(policy.profiles))
        raise Unauthorized(
            f"There is no profile named {profile_id}",
            todo=f"Choose one of {known}, or add it to config.toml.",
        )
    sandbox = context.sandbox
    if sandbox is not None and wider(sandbox, profile.sandbox_at_most):
        raise Unauthorized(
            f"The profile {profile_id} may not run with the sandbox {sandbox}",
            why=f"it goes no wider than {profile.sandbox_at_most}",
            todo="Choose a wider profile or a narrower sandbox.",
        )
    return Authorization(context, profile)


_SUBJECTS = {
    Action.COMMAND: "Commands that Codex asks about",
    Action.FILE_CHANGE: "File changes that Codex asks about",
    Action.PERMISSIONS: "Rights beyond those, and anything outside the workspace",
    Action.NETWORK: "Hosts that a command wants to reach",
    Action.TOOL: "Tools of Quarterdeck",
    Action.QUESTION: "Questions of Codex",
    Action.FORM: "Forms and links of MCP servers",
}
_DOES = {
    Verdict.ALLOW: "go ahead, unless a rule denies them or asks",
    Verdict.ASK: "are asked about, unless a rule decides",
    Verdict.DENY: "are denied, whatever the rules say",
}
_ONLY_PEOPLE = frozenset({Action.QUESTION, Action.FORM})
_ROOM = {
    Sandbox.READ_ONLY: "read files, and change nothing",
    Sandbox.WORKSPACE_WRITE: "change files in the workspace",
    Sandbox.FULL_ACCESS: "do all that you can do yourself",
}


def describe(profile: Profile) -> tuple[str, ...]:
    """What the profile may do, for people: a line for the sandbox, then one for each kind of action."""
    room = f"Without being asked about, commands can at most {_ROOM[profile.sandbox_at_most]}."
    return (room, *(f"{_SUBJECTS[action]} {_does(action, profile.verdict(action))}." for action in Action))


def _does(action: Action, verdict: Verdict) -> str:
    if verdict is not Verdict.DENY and action in _ONLY_PEOPLE:
        return "are for you to answer"
    if action is Action.PERMISSIONS and verdict is Verdict.ASK:
        return "are asked about"
    return _DOES[verdict]
