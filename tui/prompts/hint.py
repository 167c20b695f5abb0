"""The line below a prompt: how the person's sitting stands, and what they can do. Pure."""

from __future__ import annotations

from tui.prompts.keys_here import Focus
from tui.prompts.reasons import Failed, Missing, NotWhole, OnceMore, Reason, Why
from tui.prompts.sitting import Phase, Sitting
from tui.transcript import safe
from tui.transcript.panes.words import count

_SENTENCES = {
    Why.OUTSIDE: "Go into this prompt first",
    Why.TOO_SOON: "Too soon: look first, then press again",
    Why.UNSEEN: "Scroll to the end first: there is more to see",
    Why.UNKNOWN: "This version does not know that choice",
    Why.NOTHING_MARKED: "Nothing is chosen yet: a letter, or ←→ and Enter",
    Why.NOTHING_WRITTEN: "Write something to Codex first, or Esc",
    Why.CHANGED: "What is asked has changed: look again",
}


def sentence(reason: Reason) -> str:
    """A reason in words."""
    match reason:
        case Why():
            return _SENTENCES[reason]
        case NotWhole(lacks):
            return f"It cannot be accepted here: {lacks}"
        case OnceMore(doubt, key):
            return f"{doubt}: press {key or 'Enter'} once more if you mean it"
        case Missing(what):
            return what
        case Failed(what):
            return safe.line(what)


def hint(sitting: Sitting, focus: Focus, *, outcome: str, outside: str, fields: bool) -> str:
    """`outcome` is what became of it, `outside` what is said to who is not in it. `fields`: has it any to fill in?"""
    phase = sitting.phase
    if phase is Phase.SETTLED:
        return f"{outcome} · Esc closes" if sitting.entered else outcome
    if phase is Phase.DECIDING:
        return "Sending your decision…"
    if sitting.said:
        return sentence(sitting.said)
    if sitting.saying:
        return "Enter declines and sends this to Codex · Esc back to the choices"
    if phase is Phase.AWAY:
        return outside
    if phase is Phase.LOOKING:
        return "Look first…"
    if not sitting.seen_whole:
        return f"{count(sitting.unseen, 'more row')} to see before it can be accepted: ↓ or PgDn"
    return _ways_on(focus, fields=fields)


def _ways_on(focus: Focus, *, fields: bool) -> str:
    match focus:
        case Focus.FIELD | Focus.LINE:
            return "Type · Enter or ↓ goes on · Esc back"
        case Focus.PICKER:
            return "Space or a number picks · Enter goes on · Esc back"
        case Focus.TEXT if fields:
            return "↓ or Tab to what is filled in · a letter, or ←→ and Enter · Esc back"
        case _:
            return "A letter, or ←→ and Enter · Esc back"
