"""Rules that a person may want after deciding on a request, and what a rule would have done before. Pure."""

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
from core.access.rules import Place, Reach, Rule, RuleDraft, Scope, rule_on, shown
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


@dataclass(frozen=True, slots=True)
class Judged:
    """A request of the past, and why the rule would or would not have decided it: a sentence."""

    request: Request
    why: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a rule would have decided of the past by itself, and what of the same kind it would have left."""

    decided: tuple[Judged, ...]
    left: tuple[Judged, ...]


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


def explain_rule(draft: RuleDraft, past: Iterable[Request], place: Place, resolve: Resolve) -> Explanation:
    """What the rule alone would have made of these requests, all taken as from `place`.

    Requests that hold nothing of the rule's kind are in neither list.
    """
    rule = _numbered(draft)
    decided: list[Judged] = []
    left: list[Judged] = []
    for request in past:
        subject = subject_of(request, place.workspace, resolve)
        if subject is None:
            continue
        rulings = [rule_on(part, (rule,)) for part in subject.parts]
        hit = [ruling for ruling in rulings if ruling.rule is not None and ruling.verdict is draft.verdict]
        missed = [ruling.part for ruling in rulings if ruling not in hit]
        if hit and (draft.verdict is not Verdict.ALLOW or not (missed or subject.unsure)):
            decided.append(Judged(request, f"It matches {shown(hit[0].part)}."))
        elif hit:
            reason = subject.unsure or f"it does not match {shown(missed[0])}"
            left.append(Judged(request, f"It matches {shown(hit[0].part)}, but {reason}."))
        elif missed and _same_kind(draft.pattern, missed[0]):
            left.append(Judged(request, f"It does not match {shown(missed[0])}."))
    return Explanation(tuple(decided), tuple(left))


def _numbered(draft: RuleDraft) -> Rule:
    return Rule(id=0, verdict=draft.verdict, pattern=draft.pattern, scope=draft.scope)


def _decides(rules: Sequence[RuleDraft], subject: Subject, verdict: Verdict) -> bool:
    """Whether the rules alone decide it so: allowing takes all parts, denying one."""
    numbered = [_numbered(draft) for draft in rules]
    rulings = [rule_on(part, numbered) for part in subject.parts]
    enough = all if verdict is Verdict.ALLOW else any
    return enough(ruling.rule is not None and ruling.verdict is verdict for ruling in rulings)


def _same_kind(pattern: Pattern, part: Part) -> bool:
    match part:
        case SimpleCommand():
            return isinstance(pattern, CommandPattern)
        case Path():
            return isinstance(pattern, PathPattern)
        case ToolName():
            return isinstance(pattern, ToolPattern)
        case _:
            return isinstance(pattern, HostPattern)


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
