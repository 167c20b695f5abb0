"""A filter of the ledger as SQL, and the columns that it and the lists need."""

from __future__ import annotations

from typing import Any

from core.access.ledger import Decided, Fate, LedgerFilter, Who
from core.knowledge.query import every_word

DECIDED = f"""CASE WHEN NOT json_valid(decisions.answer) THEN '{Decided.UNDECIDED}'
    ELSE CASE coalesce(json_extract(decisions.answer, '$.choice.verb'),
            json_extract(decisions.answer, '$.action'), json_extract(decisions.answer, '$.kind'))
        WHEN 'accept' THEN '{Decided.ACCEPTED}'
        WHEN 'accept_session' THEN '{Decided.ACCEPTED}'
        WHEN 'accept_rule' THEN '{Decided.ACCEPTED}'
        WHEN 'network_rule' THEN '{Decided.ACCEPTED}'
        WHEN 'ran' THEN '{Decided.ACCEPTED}'
        WHEN 'decline' THEN '{Decided.DECLINED}'
        WHEN 'cancel' THEN '{Decided.DECLINED}'
        WHEN 'grant' THEN iif(json_array_length(decisions.answer, '$.rights'),
            '{Decided.ACCEPTED}', '{Decided.DECLINED}')
        WHEN 'permit' THEN iif(json_extract(decisions.answer, '$.allowed'),
            '{Decided.ACCEPTED}', '{Decided.DECLINED}')
        ELSE '{Decided.ANSWERED}' END
    END"""

_RANKS = (
    (Fate.WORKED, "outcome IN ('exit 0', 'applied', 'done')"),
    (Fate.FAILED, "outcome GLOB 'exit *' OR outcome = 'failed'"),
    (Fate.DIED, "outcome GLOB 'died*'"),
    (Fate.LATE, "outcome GLOB 'too late*'"),
    (Fate.DELIVERED, "outcome = 'delivered'"),
    (Fate.OPEN, "outcome IN ('sent', 'not run', 'not applied') OR outcome GLOB 'cut off*'"),
)
"""What says most, first; any other outcome is a reason why it was withdrawn."""
_RANK = " ".join(f"WHEN {condition} THEN {rank}" for rank, (_, condition) in enumerate(_RANKS))
_WITHDRAWN_RANK = 4.5
"""Behind what was delivered, before what says nothing of the request."""
_FATES = " ".join(f"WHEN {rank} THEN '{fate}'" for rank, (fate, _) in enumerate(_RANKS))

FATE = f"""(SELECT CASE min(CASE {_RANK} ELSE {_WITHDRAWN_RANK} END) {_FATES}
        WHEN {_WITHDRAWN_RANK} THEN '{Fate.WITHDRAWN}' ELSE '{Fate.OPEN}' END
    FROM outcomes WHERE outcomes.decision_id = decisions.id)"""

HEADLINE = """CASE WHEN json_valid(decisions.content) THEN substr(coalesce(
        json_extract(decisions.content, '$.network_host'), json_extract(decisions.content, '$.command'),
        json_extract(decisions.content, '$.changes[0].path'), json_extract(decisions.content, '$.message'),
        json_extract(decisions.content, '$.parts[0].text'), json_extract(decisions.content, '$.tool'),
        json_extract(decisions.content, '$.did') || ': ' || json_extract(decisions.content, '$.rule'),
        json_extract(decisions.content, '$.reason'), json_extract(decisions.content, '$.method'), ''), 1, 300)
    ELSE substr(decisions.content, 1, 300) END"""

_WHO = {
    Who.RULE: "decided_by GLOB 'rule [0-9]*'",
    Who.PROFILE: "decided_by GLOB 'profile *'",
    Who.NOBODY: "(decided_by = 'nobody' OR decided_by GLOB 'nobody:*')",
}
_WHO[Who.PERSON] = f"NOT ({' OR '.join(_WHO.values())})"


def condition_of(where: LedgerFilter) -> tuple[str, dict[str, Any]]:
    """The condition on `decisions`, and the values that it names."""
    conditions = ["1"]
    values: dict[str, Any] = {}

    def add(condition: str, **named: Any) -> None:
        conditions.append(condition)
        values.update(named)

    words = every_word(where.words)
    if words:
        add("id IN (SELECT rowid FROM decisions_index WHERE decisions_index MATCH :words)", words=words)
    elif where.words.strip():
        add("instr(content, :literal)", literal=where.words.strip())
    if where.conversation_id is not None:
        add("conversation_id = :conversation", conversation=where.conversation_id)
    if where.kind is not None:
        add("kind = :kind", kind=where.kind)
    if where.who is not None:
        add(_WHO[where.who])
    if where.by:
        add("instr(lower(decided_by), lower(:by))", by=where.by)
    if where.decided is not None:
        add(f"{DECIDED} = :decided", decided=where.decided)
    if where.fate is not None:
        add(f"{FATE} = :fate", fate=where.fate)
    if where.since_ms is not None:
        add("at_ms >= :since", since=where.since_ms)
    if where.until_ms is not None:
        add("at_ms < :until", until=where.until_ms)
    return " AND ".join(conditions), values
