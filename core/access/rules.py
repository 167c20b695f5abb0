"""Rules: what a person decided once for the requests to come. Pure.

Rules are ordered, and for each thing that a request asks for the first one that matches it counts. A
request is allowed only where each thing is; it is denied where one of them is. A rule never allows what
the profile denies, nor what is not understood for sure; a rule that denies or asks also narrows what the
profile allows by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.access.patterns import CommandPattern, HostPattern, Match, Part, PathPattern, Pattern, ToolPattern
from core.access.policy import Action, Authorization, Profile, Verdict, strictest
from core.access.subject import Resolve, Subject, subject_of
from core.agent.requests import Request


class Reach(StrEnum):
    CONVERSATION = "conversation"
    WORKSPACE = "workspace"
    EVERYWHERE = "everywhere"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request comes from: the conversation's id and its workspace's folder, absolute."""

    conversation_id: str
    workspace: str


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a rule holds. `of` is the conversation's id or the workspace's folder; "" everywhere."""

    reach: Reach
    of: str = ""

    @classmethod
    def at(cls, reach: Reach, place: Place) -> Scope:
        """As far as `reach` goes from here."""
        of = {Reach.CONVERSATION: place.conversation_id, Reach.WORKSPACE: place.workspace}
        return cls(reach, of.get(reach, ""))

    def holds(self, place: Place) -> bool:
        return self == Scope.at(self.reach, place)

    def __str__(self) -> str:
        return f"{self.reach} {self.of}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDraft:
    """A rule before it has a place in the order. `expires_at_ms`: Unix; from then on it holds no more."""

    verdict: Verdict
    pattern: Pattern
    scope: Scope
    expires_at_ms: int | None = None
    enabled: bool = True
    note: str = ""

    def __str__(self) -> str:
        return f"{self.verdict} {self.pattern}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(RuleDraft):
    """`hits`: how many requests it took part in deciding. Times in Unix milliseconds."""

    id: int
    hits: int = 0
    last_hit_ms: int | None = None

    # A dataclass with slots of its own would otherwise take the generated one.
    __str__ = RuleDraft.__str__

    def in_force(self, place: Place, now_ms: int) -> bool:
        expired = self.expires_at_ms is not None and self.expires_at_ms <= now_ms
        return self.enabled and not expired and self.scope.holds(place)


def draft_of(rule: RuleDraft) -> RuleDraft:
    """What it says, without its number and its hits."""
    return RuleDraft(
        verdict=rule.verdict,
        pattern=rule.pattern,
        scope=rule.scope,
        expires_at_ms=rule.expires_at_ms,
        enabled=rule.enabled,
        note=rule.note,
    )


def numbered(draft: RuleDraft, number: int) -> Rule:
    """As a rule that decides, before it is kept as one."""
    return Rule(
        id=number,
        verdict=draft.verdict,
        pattern=draft.pattern,
        scope=draft.scope,
        expires_at_ms=draft.expires_at_ms,
        enabled=draft.enabled,
        note=draft.note,
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """`by` is for the ledger, `why` a sentence for the person, `rules` the ids of those that decided.

    `unsure`: why no rule can ever allow it, a clause about "it"; "" where one can.
    """

    verdict: Verdict
    by: str
    why: str
    rules: tuple[int, ...] = ()
    unsure: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules say of one part; `rule` None: nothing."""

    part: Part
    verdict: Verdict
    rule: Rule | None = None


def decide(
    request: Request,
    place: Place,
    rules: Sequence[Rule] | None,
    authorization: Authorization | None,
    now_ms: int,
    resolve: Resolve,
) -> Decision:
    """What is to be done with a request. ASK wherever nothing decides it.

    `rules` in their order, of every scope; None where they cannot be read. `authorization` None: a thread
    that is not ours to decide in.
    """
    if authorization is None:
        return Decision(Verdict.ASK, "", "Nothing is authorized here to decide it.")
    subject = subject_of(request, place.workspace, resolve)
    if subject is None:
        return Decision(Verdict.ASK, "", "This version does not know requests of this kind.")
    decision = decide_on(subject, place, rules, authorization.profile, now_ms)
    return replace(decision, unsure=subject.unsure or "")


def decide_on(
    subject: Subject, place: Place, rules: Sequence[Rule] | None, profile: Profile, now_ms: int
) -> Decision:
    """As `decide`, for what need not be a request of Codex."""
    if _of_profile(profile, subject) is Verdict.DENY:
        return _denied(profile, subject)
    if rules is None:
        return Decision(Verdict.ASK, "", "The rules cannot be read.")
    standing = [rule for rule in rules if rule.in_force(place, now_ms)]
    return _by_rules(subject, standing) or _by_profile(subject, standing, profile)


def rule_on(part: Part, rules: Iterable[Rule]) -> Ruling:
    """The first of the rules that matches the part; asks where none does.

    A rule that denies or asks matches also what it may mean, and then asks.
    """
    for rule in rules:
        match = rule.pattern.match(part)
        if match is Match.YES or (match is Match.LOOSELY and rule.verdict is not Verdict.ALLOW):
            return Ruling(part, rule.verdict, rule)
        if match is Match.MAYBE and rule.verdict is not Verdict.ALLOW:
            return Ruling(part, Verdict.ASK, rule)
    return Ruling(part, Verdict.ASK)


def _by_rules(subject: Subject, rules: Sequence[Rule]) -> Decision | None:
    rulings = [rule_on(part, rules) for part in subject.parts]
    for verdict in (Verdict.DENY, Verdict.ASK):
        for ruling in rulings:
            if ruling.rule is not None and ruling.verdict is verdict:
                rule = ruling.rule
                why = f"Rule {rule.id} ({shown(rule)}) matches {shown(ruling.part)}."
                return Decision(verdict, f"rule {rule.id}: {shown(rule)}", why, (rule.id,))
    if subject.unsure is not None or not rulings or any(ruling.rule is None for ruling in rulings):
        return None
    used = {ruling.rule.id: ruling.rule for ruling in rulings if ruling.rule is not None}
    by = "; ".join(f"rule {rule.id}: {shown(rule)}" for rule in used.values())
    return Decision(Verdict.ALLOW, by, f"All of it is allowed by {by}.", tuple(used))


def _by_profile(subject: Subject, rules: Sequence[Rule], profile: Profile) -> Decision:
    if _of_profile(profile, subject) is Verdict.ALLOW:
        hidden = _may_be_hidden(subject, rules)
        if hidden is None:
            return Decision(Verdict.ALLOW, f"profile {profile.id}", f"The profile {profile.id} allows it.")
        why = f"Rule {hidden.id} ({shown(hidden)}) may match it: {subject.unsure}."
        return Decision(Verdict.ASK, f"rule {hidden.id}: {shown(hidden)}", why)
    if subject.unsure is not None:
        return Decision(Verdict.ASK, "", f"No rule can allow it: {subject.unsure}.")
    uncovered = next(part for part in subject.parts if rule_on(part, rules).rule is None)
    return Decision(Verdict.ASK, "", f"No rule matches {shown(uncovered)}.")


_PATTERN_FOR: dict[Action, type[Pattern]] = {
    Action.COMMAND: CommandPattern,
    Action.FILE_CHANGE: PathPattern,
    Action.NETWORK: HostPattern,
    Action.TOOL: ToolPattern,
}


def _may_be_hidden(subject: Subject, rules: Iterable[Rule]) -> Rule | None:
    """A rule against something that may be in it unseen."""
    kinds = tuple(_PATTERN_FOR[action] for action in subject.actions if action in _PATTERN_FOR)
    if subject.unsure is None:
        return None
    return next(
        (rule for rule in rules if rule.verdict is not Verdict.ALLOW and isinstance(rule.pattern, kinds)),
        None,
    )


def _of_profile(profile: Profile, subject: Subject) -> Verdict:
    return strictest(profile.verdict(action) for action in subject.actions)


def _denied(profile: Profile, subject: Subject) -> Decision:
    denied = next(
        action for action in Action if action in subject.actions and profile.verdict(action) is Verdict.DENY
    )
    what = denied.replace("_", " ")
    return Decision(
        Verdict.DENY, f"profile {profile.id}", f"The profile {profile.id} denies it, as every {what}."
    )


_LONGEST_SHOWN = 120


def shown(thing: Part | RuleDraft) -> str:
    """On one line, and short enough for a sentence."""
    text = " ".join(str(thing).split())
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
