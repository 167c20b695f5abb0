"""Rules that a person may want after deciding on a request. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.access.patterns import (
    CommandPattern,
    HostPattern,
    Part,
    Path,
    PathPattern,
    Pattern,
    ToolName,
    ToolPattern,
    is_inside,
)
from core.access.policy import Verdict
from core.access.rules import Place, Reach, RuleDraft, Scope, numbered, rule_on
from core.access.shell import SimpleCommand
from core.access.subject import Resolve, Subject, subject_of
from core.agent.requests import Request
from core.errors import InvalidRequest

_SUBCOMMAND = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class Proposal:
    """Rules that together would decide the request the same way from now on. `label` says what they cover."""

    label: str
    rules: tuple[RuleDraft, ...]


def propose(
    request: Request,
    place: Place,
    resolve: Resolve,
    verdict: Verdict = Verdict.ALLOW,
    reach: Reach = Reach.WORKSPACE,
) -> tuple[Proposal, ...]:
    """The rules that could be made of a request, the narrowest first; none where no rule could decide it."""
    subject = subject_of(request, place.workspace, resolve)
    if subject is None or not subject.parts or (subject.unsure and verdict is Verdict.ALLOW):
        return ()
    scope = Scope.at(reach, place)
    found: list[Proposal] = []
    for patterns in _candidates(subject, place):
        rules = tuple(
            RuleDraft(verdict=verdict, pattern=pattern, scope=scope) for pattern in dict.fromkeys(patterns)
        )
        proposal = Proposal(", and ".join(str(rule) for rule in rules), rules)
        if rules and proposal not in found and _decides(rules, subject, verdict):
            found.append(proposal)
    return tuple(found)


def _decides(rules: Sequence[RuleDraft], subject: Subject, verdict: Verdict) -> bool:
    """Whether the rules alone decide it so: allowing takes all parts, denying one."""
    standing = [numbered(draft, 0) for draft in rules]
    rulings = [rule_on(part, standing) for part in subject.parts]
    enough = all if verdict is Verdict.ALLOW else any
    return enough(ruling.rule is not None and ruling.verdict is verdict for ruling in rulings)


def _candidates(subject: Subject, place: Place) -> Iterable[list[Pattern]]:
    """Lists of patterns, one for each part that has a name, the narrowest first."""
    if any(isinstance(part, SimpleCommand) for part in subject.parts):
        named = (part for part in subject.parts if isinstance(part, SimpleCommand))
        commands = [command for command in named if _is_named(command)]
        yield [_exactly(command) for command in commands]
        yield [_any_arguments(command) for command in commands]
        return
    try:
        yield [_narrowest(part) for part in subject.parts]
    except InvalidRequest:
        return
    if all(isinstance(part, Path) and is_inside(part.path, place.workspace) for part in subject.parts):
        yield [PathPattern(place.workspace)]


def _is_named(command: SimpleCommand) -> bool:
    return bool(command.words[0].text) and not command.words[0].expands


def _exactly(command: SimpleCommand) -> CommandPattern:
    """These words alone; open from the first on that the shell would expand."""
    fixed = next((n for n, word in enumerate(command.words) if word.expands), None)
    return CommandPattern(tuple(word.text for word in command.words[:fixed]), exact=fixed is None)


def _any_arguments(command: SimpleCommand) -> CommandPattern:
    """The program, and its subcommand where the second word looks like one, with anything after."""
    words = [word.text for word in command.words if not word.expands]
    if len(words) > 1 and _SUBCOMMAND.fullmatch(words[1]):
        return CommandPattern(tuple(words[:2]))
    return CommandPattern((words[0],))


def _narrowest(part: Part) -> Pattern:
    """Raises InvalidRequest for a name that no rule can have."""
    match part:
        case Path():
            return PathPattern(posixpath.normpath(part.path))
        case ToolName():
            return ToolPattern(part.name)
        case SimpleCommand():
            return _exactly(part)
        case _:
            return HostPattern(part.name.lower().removesuffix("."))
