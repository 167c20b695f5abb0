"""Why a person is asked, under what it would run, and what to be careful about: kept with the request."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from core.access.destructive import DestructivePattern, dangers
from core.access.policy import Authorization
from core.access.rules import Decision
from core.agent.items import Frozen
from core.agent.requests import CommandApproval, Request

FOREIGN = "No turn of yours asks it, so no rule may decide it."


class Grounds(Frozen):
    """As it was when the request was raised. `profile` and `sandbox` "": not ours, or left to Codex.

    `cautions`: what the command looks like that destroys something; each a pattern of the settings, as text.
    `unsure`: why no rule can ever allow it, a clause about "it"; "" where one can.
    """

    why: str = ""
    profile: str = ""
    sandbox: str = ""
    cautions: tuple[str, ...] = ()
    unsure: str = ""

    @classmethod
    def load(cls, text: str) -> Grounds:
        """From JSON text. Raises ValueError for anything else."""
        return cls.model_validate_json(text)

    def dump(self) -> str:
        return self.model_dump_json()


async def grounds_for(
    request: Request,
    decision: Decision,
    authorization: Authorization | None,
    sandbox: str,
    destructive: Sequence[DestructivePattern],
) -> Grounds:
    """The grounds of a request that was judged. Reading a command may take the grammar some milliseconds."""
    cautions: tuple[str, ...] = ()
    if isinstance(request, CommandApproval) and not request.stdin:
        cautions = await asyncio.to_thread(dangers, request.command, tuple(destructive))
    if authorization is None:
        return Grounds(why=FOREIGN, sandbox=sandbox, cautions=cautions)
    return Grounds(
        why=decision.why,
        profile=str(authorization.profile.id),
        sandbox=sandbox or str(authorization.context.sandbox or ""),
        cautions=cautions,
        unsure=decision.unsure,
    )
