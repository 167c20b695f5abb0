"""What rules would have done with requests of the past. Pure.

The judge's own function decides, so what is foreseen is what happens: a request is matched where the new
rules decide it, behind those that there are.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.access.patterns import (
    CommandPattern,
    Host,
    HostPattern,
    Part,
    Path,
    PathPattern,
    Pattern,
    ToolName,
    ToolPattern,
)
from core.access.policy import Profile
from core.access.rules import Place, Rule, RuleDraft, decide_on, numbered
from core.access.shell import SimpleCommand
from core.access.subject import Resolve, subject_of
from core.agent.requests import CommandApproval, FileApproval, Request, ToolRequest

FIRST_NEW = 2**62
"""The number from which on rules that are not kept yet are counted: no kept one has it."""


@dataclass(frozen=True, slots=True)
class Past:
    """A request that was decided on, where it came from, and its number in the ledger."""

    decision_id: int
    request: Request
    place: Place


@dataclass(frozen=True, slots=True)
class Foreseen:
    """`times` such requests, of which `decision_id` is the newest; `why` is a sentence."""

    decision_id: int
    request: Request
    times: int
    why: str


@dataclass(frozen=True, slots=True)
class Foresight:
    """What the rules would have decided, and what of their likeness they would have left. The newest first."""

    matched: tuple[Foreseen, ...] = ()
    missed: tuple[Foreseen, ...] = ()


def foresee(
    drafts: Sequence[RuleDraft],
    existing: Sequence[Rule],
    past: Iterable[Past],
    profile: Profile,
    now_ms: int,
    resolve: Resolve,
) -> Foresight:
    """What these rules, put behind the existing ones, would have made of requests, the newest given first.

    What lies outside their scope, or is nothing like what they speak of, is in neither list.
    """
    new = [numbered(draft, FIRST_NEW + place) for place, draft in enumerate(drafts)]
    rules = (*existing, *new)
    matched: dict[str, Foreseen] = {}
    missed: dict[str, Foreseen] = {}
    for one in past:
        if not any(rule.in_force(one.place, now_ms) for rule in new):
            continue
        subject = subject_of(one.request, one.place.workspace, resolve)
        if subject is None:
            continue
        decision = decide_on(subject, one.place, rules, profile, now_ms)
        if any(number >= FIRST_NEW for number in decision.rules):
            _count(matched, one, "")
        elif any(_alike(draft.pattern, part) for draft in drafts for part in subject.parts):
            _count(missed, one, decision.why)
    return Foresight(tuple(matched.values()), tuple(missed.values()))


def _count(found: dict[str, Foreseen], one: Past, why: str) -> None:
    key = f"{one.place.workspace}\0{_words_of(one.request)}"
    before = found.get(key)
    if before is None:
        found[key] = Foreseen(one.decision_id, one.request, 1, why)
    else:
        found[key] = replace(before, times=before.times + 1)


def _words_of(request: Request) -> str:
    """What tells requests apart for a person."""
    match request:
        case CommandApproval():
            return (
                f"{request.cwd}\0{request.command}\0{request.network_host}\0{request.stdin}\0{request.rights}"
            )
        case FileApproval():
            return "\0".join(f"{change.path}\0{change.move_path}" for change in request.changes)
        case ToolRequest():
            return request.tool
        case _:
            return request.kind


def _alike(pattern: Pattern, part: Part) -> bool:
    """Is it the kind of thing that the pattern speaks of: the same program, a file, a host, a tool?"""
    match part:
        case SimpleCommand():
            if not isinstance(pattern, CommandPattern):
                return False
            program = posixpath.basename(part.words[0].text)
            return program == posixpath.basename(pattern.words[0] or "")
        case Path():
            return isinstance(pattern, PathPattern)
        case Host():
            return isinstance(pattern, HostPattern)
        case ToolName():
            return isinstance(pattern, ToolPattern)
