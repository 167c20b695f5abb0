"""The decisions that a command or file approval offers <-> `Choice` (PROTOCOL, Requests from the server)."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from pydantic import JsonValue

from core.agent.requests import Choice
from core.codex.translate import to_text

_WORDS = {
    "accept": ("accept", "Accept"),
    "acceptForSession": ("accept_session", "Accept for this session"),
    "decline": ("decline", "Decline, and let the turn go on"),
    "cancel": ("cancel", "Decline, and end the turn"),
}

_OTHER = "other"
KNOWN_VERBS = frozenset({verb for verb, _ in _WORDS.values()} | {"accept_rule", "network_rule"})
"""A choice of another verb is shown and never sent."""

DECLINE: JsonValue = "decline"
CANCEL: JsonValue = "cancel"
COMMAND_DEFAULT: tuple[JsonValue, ...] = ("accept", DECLINE, CANCEL)
"""For a host that does not list what it offers."""
FILE_DECISIONS: tuple[JsonValue, ...] = ("accept", "acceptForSession", DECLINE, CANCEL)
BLIND_DECISIONS: tuple[JsonValue, ...] = (DECLINE, CANCEL)
"""For a patch that nobody here can see."""


def choices(offered: Iterable[JsonValue]) -> tuple[Choice, ...]:
    """The choices in Codex's order; decline is always among them, before cancel."""
    found = [_choice(decision) for decision in offered]
    if not any(choice.verb == "decline" for choice in found):
        place = next((n for n, choice in enumerate(found) if choice.verb == "cancel"), len(found))
        found.insert(place, _choice(DECLINE))
    return tuple(found)


def _choice(decision: JsonValue) -> Choice:
    verb, label = _described(decision)
    return Choice(verb=verb, label=label, raw=to_text(decision))


def _described(decision: JsonValue) -> tuple[str, str]:
    if isinstance(decision, str):
        return _WORDS.get(decision, (_OTHER, decision))
    if isinstance(decision, dict) and len(decision) == 1:
        ((name, value),) = decision.items()
        if isinstance(value, dict):
            described = _rule(name, value)
            if described is not None:
                return described
    return _OTHER, to_text(decision)


def _rule(name: str, value: dict[str, JsonValue]) -> tuple[str, str] | None:
    """A decision that also sets a rule. None unless it says exactly what we know, and so can tell."""
    match name, value:
        case "acceptWithExecpolicyAmendment", {"execpolicy_amendment": [*words], **rest} if not rest:
            prefix = shlex.join(str(word) for word in words)
            return "accept_rule", f"Accept, and always allow commands that begin with {prefix}"
        case "applyNetworkPolicyAmendment", {"network_policy_amendment": {**amendment}} if len(value) == 1:
            verb = {"allow": "Always allow", "deny": "Never allow"}.get(str(amendment.get("action")))
            if verb is not None and amendment.keys() == {"action", "host"}:
                return "network_rule", f"{verb} network access to {amendment['host']}"
        case _:
            pass
    return None
