"""Requests, rules and places for the tests of access."""

from __future__ import annotations

from core.access.patterns import CommandPattern, Pattern
from core.access.policy import OPERATOR, AccessContext, Authorization, Profile, Verdict
from core.access.rules import Place, Reach, Rule, Scope
from core.agent.items import Change
from core.agent.requests import (
    Choice,
    CommandApproval,
    FileApproval,
    PermissionsApproval,
    RequestKey,
    Right,
    ToolRequest,
)

WORKSPACE = "/home/dev/project"
HERE = Place("c", WORKSPACE)
EVERYWHERE = Scope(Reach.EVERYWHERE)
CHOICES = tuple(Choice(verb=verb, label=verb, raw=f'"{verb}"') for verb in ("accept", "decline", "cancel"))
RIGHT = Right(label="Network access", raw='{"network":{"enabled":true}}', to="network")
WRITE = Right(label="Write /etc", raw='{"fileSystem":{"write":["/etc"]}}', to="write")
NOW_MS = 1_000


def as_it_is(path: str) -> str:
    """A disk without symbolic links."""
    return path


def authorized(profile: Profile = OPERATOR) -> Authorization:
    return Authorization(AccessContext(WORKSPACE), profile)


def command(
    line: str,
    cwd: str = WORKSPACE,
    *,
    stdin: bool = False,
    host: str | None = None,
    rights: tuple[Right, ...] = (),
) -> CommandApproval:
    return CommandApproval(
        key=RequestKey(generation="g", id=0),
        thread_id="t",
        turn_id="u",
        item_id="i",
        command=line,
        cwd=cwd,
        stdin=stdin,
        network_host=host,
        rights=rights,
        choices=CHOICES,
    )


def files(*paths: str, moved_to: str | None = None, grant_root: str | None = None) -> FileApproval:
    return FileApproval(
        key=RequestKey(generation="g", id=0),
        thread_id="t",
        turn_id="u",
        item_id="i",
        changes=tuple(Change(path=path, verb="update", diff="", move_path=moved_to) for path in paths),
        grant_root=grant_root,
        choices=CHOICES,
    )


def permissions(*rights: Right) -> PermissionsApproval:
    """For the network where nothing is said."""
    return PermissionsApproval(
        key=RequestKey(generation="g", id=0),
        thread_id="t",
        turn_id="u",
        item_id="i",
        cwd=WORKSPACE,
        rights=rights or (RIGHT,),
    )


def tool(name: str) -> ToolRequest:
    return ToolRequest(
        key=RequestKey(generation="g", id=0),
        thread_id="t",
        turn_id="u",
        item_id="i",
        tool=name,
        arguments="{}",
    )


def rule(
    number: int,
    verdict: Verdict,
    pattern: Pattern | str,
    scope: Scope = EVERYWHERE,
    *,
    expires_at_ms: int | None = None,
    enabled: bool = True,
) -> Rule:
    """A rule; a pattern as text is one of words."""
    parsed = CommandPattern.parse(pattern) if isinstance(pattern, str) else pattern
    return Rule(
        id=number, verdict=verdict, pattern=parsed, scope=scope, expires_at_ms=expires_at_ms, enabled=enabled
    )


def allow(number: int, pattern: Pattern | str, scope: Scope = EVERYWHERE) -> Rule:
    return rule(number, Verdict.ALLOW, pattern, scope)


def deny(number: int, pattern: Pattern | str, scope: Scope = EVERYWHERE) -> Rule:
    return rule(number, Verdict.DENY, pattern, scope)


def ask(number: int, pattern: Pattern | str, scope: Scope = EVERYWHERE) -> Rule:
    return rule(number, Verdict.ASK, pattern, scope)
