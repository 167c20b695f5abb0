"""What a rule says, and what it would have decided before, as lines to be judged. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.access.foresight import Foreseen, Foresight
from core.access.rules import RuleDraft
from core.conversation.feed import Notification
from core.conversation.refusal import subject
from tui.prompts.lines import Judged, Line, judged
from tui.rules.words import pattern_words
from tui.transcript.panes.words import count

MOST_SHOWN = 200
"""Requests of the past that are written out; the others are counted."""


def foreseen_lines(drafts: Sequence[RuleDraft], foresight: Foresight) -> Judged:
    """What the rules say, and what they would have done before."""
    return judged(_lines(drafts, foresight))


def _lines(drafts: Sequence[RuleDraft], foresight: Foresight) -> Iterator[Line]:
    for draft in drafts:
        yield Line(f"{draft.verdict} {pattern_words(draft.pattern)}", "label")
    matched = sum(one.times for one in foresight.matched)
    yield Line("")
    if not foresight.matched:
        yield Line("Nothing that was asked before would have been decided by it.", "muted")
    else:
        yield Line(f"It would have decided {count(matched, 'request')} of those before:", "text")
    for one in foresight.matched[:MOST_SHOWN]:
        yield Line(_past(one), "code", "✓ ")
    yield from _rest(foresight.matched)
    if foresight.missed:
        yield Line("")
        yield Line("It would not have decided these, which are like it:", "text")
    for one in foresight.missed[:MOST_SHOWN]:
        yield Line(_past(one), "code", "· ")
        yield Line(one.why, "muted", "  ")
    yield from _rest(foresight.missed)


def _past(one: Foreseen) -> str:
    times = f"  ×{one.times}" if one.times > 1 else ""
    return f"{subject(one.request).removeprefix('the command ')}{times}"


def _rest(found: Sequence[Foreseen]) -> Iterator[Line]:
    if len(found) > MOST_SHOWN:
        yield Line(f"… and {len(found) - MOST_SHOWN:,} more", "muted", "  ")


def nothing_possible(notification: Notification) -> Judged:
    """Why no rule is offered for it."""
    return judged(_none(notification))


def _none(notification: Notification) -> Iterator[Line]:
    yield Line("No rule can decide this.", "label")
    yield Line("")
    yield Line(notification.why_asked or "It has nothing that a rule could name.", "text")
    yield Line("You can accept or decline it by itself.", "muted")
