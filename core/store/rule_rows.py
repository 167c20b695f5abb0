"""A rule as a row: its columns, and its pattern as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from core.access.patterns import CommandPattern, HostPattern, PathPattern, Pattern, ToolPattern
from core.access.policy import Verdict
from core.access.rules import Reach, Rule, RuleDraft, Scope
from core.errors import InvalidRequest, InvalidState

COLUMNS = "id, verdict, kind, pattern, reach, reach_of, expires_at_ms, enabled, note, hits, last_hit_ms"
"""Those that `from_row` reads."""


def columns_of(draft: RuleDraft) -> tuple[str | int | None, ...]:
    """verdict, kind, pattern, reach, reach_of, expires_at_ms, enabled, note."""
    kind, pattern = to_json(draft.pattern)
    return (
        draft.verdict,
        kind,
        pattern,
        draft.scope.reach,
        draft.scope.of,
        draft.expires_at_ms,
        draft.enabled,
        draft.note,
    )


def from_row(row: Sequence[Any]) -> Rule:
    """From the values of COLUMNS. Raises InvalidState."""
    rule_id, verdict, kind, pattern, reach, of, expires_at_ms, enabled, note, hits, last_hit_ms = row
    try:
        return Rule(
            id=rule_id,
            verdict=Verdict(verdict),
            pattern=from_json(kind, pattern),
            scope=Scope(Reach(reach), of),
            expires_at_ms=expires_at_ms,
            enabled=bool(enabled),
            note=note,
            hits=hits,
            last_hit_ms=last_hit_ms,
        )
    except (ValueError, InvalidRequest) as error:
        raise InvalidState(
            f"Rule {rule_id} cannot be read",
            why=str(error),
            todo=f"Revoke it with `quarterdeck rules revoke {rule_id}`; until then a person decides everything that a profile does not deny.",
        ) from error


def to_json(pattern: Pattern) -> tuple[str, str]:
    """A pattern's kind, and the rest of it as JSON."""
    match pattern:
        case CommandPattern():
            return "command", json.dumps({"words": pattern.words, "exact": pattern.exact})
        case PathPattern():
            return "path", json.dumps(pattern.path)
        case HostPattern():
            return "host", json.dumps(pattern.name)
        case ToolPattern():
            return "tool", json.dumps(pattern.name)


def from_json(kind: str, text: str) -> Pattern:
    """What `to_json` was given. Raises ValueError, InvalidRequest for anything else."""
    value: Any = json.loads(text)
    match kind, value:
        case "command", {"words": [*words], "exact": bool(exact)}:
            return CommandPattern(tuple(_word(word) for word in words), exact)
        case "path", str(path):
            return PathPattern(path)
        case "host", str(name):
            return HostPattern(name)
        case "tool", str(name):
            return ToolPattern(name)
        case _:
            raise ValueError(f"{value!r} is no pattern for a {kind}")


def _word(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise ValueError(f"{value!r} is no word")
