"""Rules as rows of their list, and whole; profiles in words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from core.access.policy import Profile, describe
from core.access.rules import Rule
from tui.prompts.lines import Judged, Line, judged
from tui.rules.words import (
    MARKS,
    VERDICTS,
    brief_expiry,
    expiry_words,
    hits_words,
    pattern_words,
    scope_words,
    standing_words,
)
from tui.transcript import cells
from tui.transcript.panes.words import count
from tui.widgets.lazy_list import Piece, fitted

_NUMBER, _VERDICT, _HITS = 4, 9, 9
_ASIDE = 18
"""Cells that the longest time takes."""
_WITH_HITS, _ROOMY = 66, 100


def row_drawer(now_ms: Callable[[], float], titles: dict[str, str]) -> Callable[[Rule, int], Sequence[Piece]]:
    """What draws a rule in one line: number, verdict, what, where or until when or why not now, hits.

    Where there is little room there are no hits: what it decides, and how long yet, are never cut for them.
    """

    def draw(rule: Rule, width: int) -> Sequence[Piece]:
        idle = standing_words(rule, now_ms())
        mark, look = MARKS[rule.verdict]
        where = idle or brief_expiry(rule, now_ms()) or scope_words(rule.scope, titles)
        aside = 40 if width >= _ROOMY else _ASIDE
        hits = f"  {count(rule.hits, 'hit')}" if width >= _WITH_HITS else ""
        what = max(width - _NUMBER - _VERDICT - aside - (_HITS + 2 if hits else 0) - 2, 8)
        return [
            (fitted(str(rule.id), _NUMBER), "muted"),
            (fitted(f"{mark} {rule.verdict}", _VERDICT), "muted" if idle else look),
            (_pattern(pattern_words(rule.pattern), what) + "  ", "muted" if idle else "text"),
            (fitted(_tail(where, aside), aside), "odd" if idle else "muted"),
            (fitted(hits, _HITS + 2) if hits else "", "muted"),
        ]

    return draw


def _pattern(text: str, width: int) -> str:
    """Cut with a sign of its own: three dots at its end would say that anything may follow there."""
    shown = fitted(text, width)
    return (
        shown
        if cells.width_of(text) <= width
        else shown.rstrip().removesuffix("…").rstrip().ljust(width - 1) + "›"
    )


def _tail(text: str, width: int) -> str:
    """Of a path that is too long its end says more."""
    if cells.width_of(text) <= width or "/" not in text:
        return text
    return "…" + text[-(width - 1) :]


def rule_lines(rule: Rule, place: int, now_ms: float, titles: dict[str, str]) -> Judged:
    """All there is to know of it; `place`: in the order, from 1."""
    return judged(_lines(rule, place, now_ms, titles))


def _lines(rule: Rule, place: int, now_ms: float, titles: dict[str, str]) -> Iterator[Line]:
    yield Line(f"{VERDICTS[rule.verdict]} {pattern_words(rule.pattern)}", "label")
    yield Line(f"rule {rule.id}, at place {place} of the order", "muted")
    idle = standing_words(rule, now_ms)
    if idle:
        yield Line(f"It matches nothing now: it is {idle}.", "warning")
    yield Line(scope_words(rule.scope, titles), "text", "holds ")
    yield Line(expiry_words(rule, now_ms) or "for good", "text", "lasts ")
    yield Line(hits_words(rule), "text", "hits ")
    if rule.note:
        yield Line(rule.note, "text", "note ")


def profile_lines(profiles: Iterable[Profile], default: str) -> Judged:
    """What each profile allows, which no rule goes beyond."""
    return judged(_profiles(profiles, default))


def _profiles(profiles: Iterable[Profile], default: str) -> Iterator[Line]:
    yield Line("The profile decides first, and no rule allows what it denies.", "muted")
    for profile in profiles:
        yield Line("")
        start = ", that of new conversations" if profile.id == default else ""
        yield Line(f"{profile.id}{start}", "label")
        for sentence in describe(profile):
            yield Line(sentence, "text", "  ")


def no_rules(adds: str) -> Judged:
    """What is said where there are none; `adds` is the key that begins one."""
    return judged(
        (
            Line(
                "There are no rules: you are asked about everything that the profile does not decide.",
                "label",
            ),
            Line(""),
            Line(
                "Make one where Codex asks: in its prompt, l shows the rules that fit and what each would have "
                f"decided before. Or press {adds} to write one here."
            ),
        )
    )
