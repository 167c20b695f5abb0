"""Deciding on a request with the rules that are kept: the profile, then the rules, else a person."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from core.access.patterns import ToolName
from core.access.policy import Action, Authorization, Verdict
from core.access.rules import Decision, Place, Rule, decide, decide_on
from core.access.subject import Subject
from core.agent.requests import (
    Answer,
    CommandApproval,
    Decide,
    Elicited,
    FileApproval,
    Grant,
    McpForm,
    McpLink,
    PermissionsApproval,
    Request,
)
from core.errors import InvalidState, StoreError

log = logging.getLogger(__name__)


class KeptRules(Protocol):
    """Where rules are kept. `core.store.rules.Rules` is the one that ships."""

    async def in_order(self) -> Sequence[Rule]:
        """All rules, the first to count first. Raises StoreError, InvalidState for one that cannot be read."""
        ...

    async def hit(self, rule_ids: Sequence[int], at_ms: int) -> None:
        """Count a decision for each of them. Raises StoreError."""
        ...


def _wall_clock() -> int:
    return time.time_ns() // 1_000_000


def real_path(path: str) -> str:
    """The path with symbolic links followed; the root, which no narrower rule covers, for one that cannot be."""
    try:
        return os.path.realpath(path)
    except ValueError:
        return "/"


class Judge:
    """What decides before a person is asked. Keeps nothing itself: two consoles on one store agree."""

    def __init__(self, rules: KeptRules, clock: Callable[[], int] = _wall_clock) -> None:
        self._rules = rules
        self._clock = clock

    async def judge(
        self, request: Request, conversation_id: str | None, authorization: Authorization | None
    ) -> Decision:
        """What is to be done with a request of Codex. Rules that cannot be read leave it to a person.

        Both None: a thread that is no conversation of ours.
        """
        workspace = authorization.context.workspace if authorization is not None else "/"
        place = Place(conversation_id or "", workspace)
        rules = await self._read() if authorization is not None else None
        # Symbolic links are followed on the disk, and a long line takes the grammar some milliseconds.
        return await asyncio.to_thread(decide, request, place, rules, authorization, self._clock(), real_path)

    async def judge_tool(self, tool: str, conversation_id: str, authorization: Authorization) -> Decision:
        """Whether a tool of ours may run. Rules that cannot be read leave it to a person."""
        place = Place(conversation_id, authorization.context.workspace)
        subject = Subject(frozenset({Action.TOOL}), (ToolName(tool),))
        return decide_on(subject, place, await self._read(), authorization.profile, self._clock())

    async def _read(self) -> Sequence[Rule] | None:
        try:
            return await self._rules.in_order()
        except (StoreError, InvalidState) as error:
            log.warning("the rules cannot be read, a person decides: %s", error)
            return None

    async def count(self, decision: Decision) -> None:
        """Count a hit for each rule that decided, once the decision stands. Raises StoreError."""
        if decision.rules:
            await self._rules.hit(decision.rules, self._clock())


def answer_of(request: Request, verdict: Verdict) -> Answer | None:
    """The answer that says so to Codex; None where a person has to give it."""
    if verdict is Verdict.ASK:
        return None
    allowed = verdict is Verdict.ALLOW
    match request:
        case CommandApproval() | FileApproval():
            wanted = "accept" if allowed else "decline"
            return next((Decide(choice=choice) for choice in request.choices if choice.verb == wanted), None)
        case PermissionsApproval():
            return Grant(rights=request.rights if allowed else ())
        case McpForm() | McpLink() if not allowed:
            return Elicited(action="decline")
        case _:
            return None
