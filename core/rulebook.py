"""The engine's rules: kept, changed, tried out, and what they would have done before."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from core.access.foresight import Foresight, Past, foresee
from core.access.judge import real_path
from core.access.policy import AccessContext, AccessPolicy, Authorization, Profile, ProfileId
from core.access.proposals import Proposal, propose
from core.access.rules import Decision, Place, Reach, Rule, RuleDraft, decide, draft_of
from core.access.rules_file import dump_rules, parse_rules
from core.agent.requests import CommandApproval, Request, RequestKey, load_request
from core.errors import InvalidRequest, NotFound
from core.store.ledger import Ledger, PastRow
from core.store.rules import PERSON, RuleList, Rules

PAST = 2_000
"""How many decisions are looked back at to foresee what a rule does."""


def _wall_clock() -> int:
    return time.time_ns() // 1_000_000


class Rulebook:
    """`engine.rules`. Its methods raise StoreError where the database cannot do it, and Closed; those that
    change a rule raise Conflict where the list moved on from the revision that was looked at, and NotFound.
    """

    def __init__(
        self,
        rules: Rules,
        ledger: Ledger,
        policy: AccessPolicy,
        profile: str | None = None,
        clock: Callable[[], int] = _wall_clock,
    ) -> None:
        """`profile`: the one that conversations start with; None for the operator."""
        self._rules = rules
        self._ledger = ledger
        self._policy = policy
        self._default = ProfileId(profile or "operator")
        self._clock = clock

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """Those there are."""
        return tuple(self._policy.profiles.values())

    @property
    def default_profile(self) -> str:
        """The one that conversations start with."""
        return self._default

    async def read(self) -> RuleList:
        """All rules in their order. Raises InvalidState for one that cannot be read."""
        return await self._rules.read()

    async def revision(self) -> int:
        """Of the list, also where a rule of it cannot be read: such a one can still be revoked."""
        return await self._rules.revision()

    async def add(self, drafts: Sequence[RuleDraft], conversation_id: str | None = None) -> tuple[int, ...]:
        """Put them behind the others; their numbers. `conversation_id`: where they were made."""
        return tuple([await self._rules.add(draft, PERSON, conversation_id) for draft in drafts])

    async def change(self, rule_id: int, revision: int, draft: RuleDraft) -> int:
        """Say it anew: its place and its hits stay. Returns the new revision."""
        return await self._rules.change(rule_id, revision, draft)

    async def switch(self, rule: Rule, revision: int) -> int:
        """Disable it, or enable it again. Returns the new revision."""
        return await self._rules.change(rule.id, revision, replace(draft_of(rule), enabled=not rule.enabled))

    async def move(self, rule_id: int, revision: int, place: int) -> int:
        """Put it at a place of the order, from 0. Returns the new revision. Raises InvalidRequest."""
        return await self._rules.move(rule_id, revision, place)

    async def revoke(self, rule_id: int, revision: int) -> int:
        """Take it away. Returns the new revision, with which `restore` takes that back."""
        return await self._rules.revoke(rule_id, revision)

    async def restore(self, rule: Rule, revision: int, place: int) -> int:
        """Put a revoked one back where it was. Returns the new revision."""
        return await self._rules.restore(rule, revision, place)

    async def text(self) -> str:
        """All rules as a TOML text."""
        return dump_rules((await self.read()).rules)

    async def take(self, text: str) -> int:
        """Have the rules of a TOML text and no others; how many. Raises InvalidRequest, naming line and key."""
        written = parse_rules(text)
        revision = (await self.read()).revision
        await self._rules.replace([(one.id, one.draft) for one in written], revision)
        return len(written)

    def propose(self, request: Request, place: Place, reach: Reach) -> tuple[Proposal, ...]:
        """The rules that could allow such a request from now on, the narrowest first."""
        return propose(request, place, real_path, reach=reach)

    async def foresee(self, drafts: Sequence[RuleDraft], profile: str = "") -> Foresight:
        """What these would have decided of the past, behind the rules that there are."""
        past = await self._ledger.past(PAST)
        existing = (await self.read()).rules
        chosen, now_ms = self._profile(profile), self._clock()
        return await asyncio.to_thread(
            lambda: foresee(drafts, existing, map(_past, past), chosen, now_ms, real_path)
        )

    async def test(self, command: str, folder: Path, profile: str = "") -> Decision:
        """What would decide on a command in a folder's conversations, and why. Raises InvalidRequest."""
        if not command.strip():
            raise InvalidRequest("There is no command to try", todo="Write one.")
        request = CommandApproval(
            key=RequestKey(generation="", id=0),
            thread_id="",
            turn_id=None,
            item_id="",
            command=command,
            cwd=str(folder),
            choices=(),
        )
        rules = (await self.read()).rules
        place = Place("", str(folder))
        authorization = Authorization(AccessContext(str(folder)), self._profile(profile))
        return await asyncio.to_thread(decide, request, place, rules, authorization, self._clock(), real_path)

    def _profile(self, name: str) -> Profile:
        """Raises NotFound."""
        found = self._policy.profiles.get(ProfileId(name) if name else self._default)
        if found is None:
            known = ", ".join(sorted(self._policy.profiles))
            raise NotFound(
                f"There is no profile named {name or self._default}", todo=f"Choose one of {known}."
            )
        return found


def _past(row: PastRow) -> Past:
    return Past(row.decision_id, load_request(row.content), Place(row.conversation_id, row.workspace))
