"""Rules in memory, decided with and foreseen by the judge's own functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.access.foresight import Foresight, Past, foresee
from core.access.patterns import CommandPattern, PathPattern, Pattern
from core.access.policy import SHIPPED, AccessContext, Authorization, Verdict
from core.access.proposals import Proposal, propose
from core.access.rules import Decision, Place, Reach, Rule, RuleDraft, Scope, decide, draft_of, numbered
from core.agent.requests import CommandApproval, Request
from core.errors import Conflict, QuarterdeckError
from core.store.rules import RuleList
from tests.tui import examples

NOW = 1_767_000_000_000
WORKSPACE = Scope(Reach.WORKSPACE, "/home/dev/harbour")


def rule(number: int, verdict: Verdict, pattern: str | Pattern, **more: object) -> Rule:
    parsed = CommandPattern.parse(pattern) if isinstance(pattern, str) else pattern
    made = Rule(id=number, verdict=verdict, pattern=parsed, scope=WORKSPACE)
    return replace(made, **more)  # type: ignore[arg-type]


def some() -> list[Rule]:
    """Of every verdict and state."""
    return [
        rule(3, Verdict.DENY, "git push --force …", hits=2, last_hit_ms=NOW - 86_400_000),
        rule(1, Verdict.ALLOW, "git * …", hits=41, last_hit_ms=NOW - 60_000, note="read and commit"),
        rule(4, Verdict.ASK, "npm publish …", scope=Scope(Reach.EVERYWHERE)),
        rule(5, Verdict.ALLOW, PathPattern("/home/dev/harbour/docs"), expires_at_ms=NOW + 86_400_000),
        rule(7, Verdict.ALLOW, "make test", enabled=False),
        rule(8, Verdict.ALLOW, "cargo …", expires_at_ms=NOW - 1, scope=Scope(Reach.CONVERSATION, "c1")),
    ]


def asked(*commands: str) -> list[Request]:
    return [examples.COMMAND.model_copy(update={"command": command}) for command in commands]


class FakeRulebook:
    default_profile = "operator"
    profiles = SHIPPED

    def __init__(self, rules: Sequence[Rule] = (), past: Sequence[Request] = ()) -> None:
        self.rules = list(rules)
        self.past = list(past)
        self.revision = 1
        self.fails: QuarterdeckError | None = None

    def _change(self, revision: int) -> int:
        if self.fails is not None:
            raise self.fails
        if revision != self.revision:
            raise Conflict("The rules have changed meanwhile", todo="Look at them again.")
        self.revision += 1
        return self.revision

    def _at(self, rule_id: int) -> int:
        return next(place for place, one in enumerate(self.rules) if one.id == rule_id)

    async def read(self) -> RuleList:
        if self.fails is not None:
            raise self.fails
        return RuleList(self.revision, tuple(self.rules))

    async def add(self, drafts: Sequence[RuleDraft], conversation_id: str | None = None) -> tuple[int, ...]:
        del conversation_id
        self._change(self.revision)
        first = max((one.id for one in self.rules), default=0) + 1
        self.rules += [numbered(draft, first + n) for n, draft in enumerate(drafts)]
        return tuple(range(first, first + len(drafts)))

    async def change(self, rule_id: int, revision: int, draft: RuleDraft) -> int:
        done = self._change(revision)
        at = self._at(rule_id)
        self.rules[at] = replace(
            numbered(draft, rule_id), hits=self.rules[at].hits, last_hit_ms=self.rules[at].last_hit_ms
        )
        return done

    async def switch(self, one: Rule, revision: int) -> int:
        return await self.change(one.id, revision, replace(draft_of(one), enabled=not one.enabled))

    async def move(self, rule_id: int, revision: int, place: int) -> int:
        done = self._change(revision)
        self.rules.insert(place, self.rules.pop(self._at(rule_id)))
        return done

    async def revoke(self, rule_id: int, revision: int) -> int:
        done = self._change(revision)
        del self.rules[self._at(rule_id)]
        return done

    async def restore(self, one: Rule, revision: int, place: int) -> int:
        done = self._change(revision)
        self.rules.insert(place, one)
        return done

    def propose(self, request: Request, place: Place, reach: Reach) -> tuple[Proposal, ...]:
        return propose(request, place, str, reach=reach)

    async def foresee(self, drafts: Sequence[RuleDraft], profile: str = "") -> Foresight:
        del profile
        place = Place("c1", WORKSPACE.of)
        past = [Past(number, request, place) for number, request in enumerate(self.past)]
        return foresee(drafts, self.rules, past, SHIPPED[1], NOW, str)

    async def test(self, command: str, folder: Path, profile: str = "") -> Decision:
        chosen = next(one for one in SHIPPED if one.id == (profile or "operator"))
        request = CommandApproval(
            key=examples.key(), **examples.ASKED, command=command, cwd=str(folder), choices=()
        )
        bound = Authorization(AccessContext(str(folder)), chosen)
        return decide(request, Place("", str(folder)), self.rules, bound, NOW, str)
