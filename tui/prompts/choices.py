"""What can be chosen in a prompt. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.agent.requests import Answer, Choice, Decide
from tui.transcript import cells, safe

LABEL = 48
"""Cells of a label at most; what it stands for is in the text above it."""


class Effect(StrEnum):
    """`ACCEPT` lets something happen and needs everything seen; `REFUSE` is any other answer.

    `SAY` refuses with a message to Codex, which is asked for first. `RULE` opens what makes a rule of it: as
    much has to be seen for that as for accepting.

    The others are no answers: `INTERRUPT` ends the turn, `LATER` leaves the request waiting, `OPEN` opens
    a page, for which as much has to be seen, and `NONE` is for what this version cannot do.
    """

    ACCEPT = "accept"
    REFUSE = "refuse"
    SAY = "say"
    RULE = "rule"
    INTERRUPT = "interrupt"
    LATER = "later"
    OPEN = "open"
    NONE = "none"


NEED_ALL_SEEN = frozenset({Effect.ACCEPT, Effect.RULE, Effect.OPEN})


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing to choose. `answer` None: the prompt makes it from its fields when it is chosen."""

    key: str
    label: str
    effect: Effect
    answer: Answer | None = None
    keep: str = ""
    """For how long an accept is to hold, where the request offers several."""


def saying(declined: Answer) -> Offer:
    """Give this refusal, and tell Codex why or what to do instead."""
    return Offer("m", "Decline, and say…", Effect.SAY, declined)


RULE = Offer("l", "Always…", Effect.RULE)
LATER = Offer("s", "Not now", Effect.LATER)
INTERRUPT = Offer("x", "Stop the turn", Effect.INTERRUPT)

ACCEPT_LABEL = "Accept"
"""Of the plain accept: once, and nothing more."""

_KNOWN = {
    "accept": ("y", ACCEPT_LABEL, Effect.ACCEPT),
    "accept_session": ("a", "Accept for this session", Effect.ACCEPT),
    "accept_rule": ("r", "Accept, with a rule", Effect.ACCEPT),
    "network_rule": ("w", "Set a network rule", Effect.ACCEPT),
    "decline": ("n", "Decline", Effect.REFUSE),
    "cancel": ("x", "Decline, stop the turn", Effect.REFUSE),
}
_SPARE_KEYS = "123456789"


def offers_of(choices: Iterable[Choice]) -> tuple[Offer, ...]:
    """The choices that a request offers, in its order, each under a key of its own, and "not now".

    Where it offers no way to stop the turn, interrupting it is added.
    """
    offers: list[Offer] = []
    spare = iter(_SPARE_KEYS)
    for choice in choices:
        if choice.verb not in _KNOWN:
            label = f"{choice.label or choice.verb} (unknown to this version)"
            offers.append(Offer("", _cut(label), Effect.NONE))
            continue
        key, label, effect = _KNOWN[choice.verb]
        if any(offer.key == key for offer in offers):
            key = next(spare, "")
        offers.append(Offer(key, _cut(label), effect, Decide(choice=choice)))
        if choice.verb == "decline":
            offers.append(saying(Decide(choice=choice)))
    if not any(offer.key == INTERRUPT.key for offer in offers):
        offers.append(INTERRUPT)
    return (*offers, LATER)


def offered(offers: Iterable[Offer], *, told: bool, ruled: bool) -> tuple[Offer, ...]:
    """What of the offers is shown, with that of a rule where one can decide such requests (`ruled`).

    `told` false: a thread that is nobody's conversation cannot be told anything.
    """
    shown = [offer for offer in offers if told or offer.effect is not Effect.SAY]
    plain = next((place for place, offer in enumerate(shown) if offer.label == ACCEPT_LABEL), None)
    if ruled and told and plain is not None:
        shown.insert(plain + 1, RULE)
    return tuple(shown)


def rules_among(choices: Iterable[Choice]) -> tuple[tuple[str, str], ...]:
    """The keys of the offers that would also set a rule, each with the rule in Codex's words."""
    return tuple(
        (offer.key, offer.answer.choice.label)
        for offer in offers_of(choices)
        if isinstance(offer.answer, Decide) and offer.answer.choice.verb in ("accept_rule", "network_rule")
    )


def stops_turn(answer: Answer) -> bool:
    """Does the turn end with this answer, so that what waits for after it would begin?"""
    return isinstance(answer, Decide) and answer.choice.verb == "cancel"


def _cut(label: str) -> str:
    return cells.cut(safe.line(label), LABEL)
