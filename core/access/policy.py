"""Profiles and what they allow. Pure.

A profile says, for each kind of action, allow, ask or deny, and the widest sandbox it may be run with.
An authorization is bound for a run from a context, a profile and a policy (seed 000): what a profile
may not do, nothing later can grant.
"""

from __future__ import annotations

from collections.abc import Mapping
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


class Action(StrEnum):
    """The kinds of things that are decided on."""

    COMMAND = "command"
    FILE_CHANGE = "file_change"
    PERMISSIONS = "permissions"
    TOOL = "tool"
    QUESTION = "question"
    FORM = "form"


_WIDTH = {Sandbox.READ_ONLY: 0, Sandbox.WORKSPACE_WRITE: 1, Sandbox.FULL_ACCESS: 2}


@dataclass(frozen=True, slots=True)
class Profile:
    """`verdicts` for the kinds it speaks of; the rest is asked. `tools` restricts tools by name."""

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
        Action.TOOL: Verdict.ASK,
    },
)
OPERATOR = Profile(
    ProfileId("operator"),
    "a person decides whatever leaves the sandbox",
    Sandbox.FULL_ACCESS,
    {Action.TOOL: Verdict.ALLOW},
)
AUTOPILOT = Profile(
    ProfileId("autopilot"),
    "commands and file changes in the workspace go ahead; wider rights are asked for",
    Sandbox.WORKSPACE_WRITE,
    {Action.COMMAND: Verdict.ALLOW, Action.FILE_CHANGE: Verdict.ALLOW, Action.TOOL: Verdict.ALLOW},
)


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """The profiles there are."""

    profiles: Mapping[ProfileId, Profile]

    @classmethod
    def shipped(cls) -> AccessPolicy:
        return cls({profile.id: profile for profile in (OBSERVER, OPERATOR, AUTOPILOT)})


@dataclass(frozen=True, slots=True)
class AccessContext:
    """Where a run takes place. `sandbox` None: Codex's own settings decide, taken as the widest."""

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
    if sandbox is not None and _WIDTH[sandbox] > _WIDTH[profile.sandbox_at_most]:
        raise Unauthorized(
            f"The profile {profile_id} may not run with the sandbox {sandbox}",
            why=f"it goes no wider than {profile.sandbox_at_most}",
            todo="Choose a wider profile or a narrower sandbox.",
        )
    return Authorization(context, profile)
