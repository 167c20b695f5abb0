"""Rules and decisions in words. Pure: every text of a rule has been through `safe`."""

from __future__ import annotations

from core.access.patterns import CommandPattern, HostPattern, PathPattern, Pattern
from core.access.policy import Verdict
from core.access.rules import Decision, Reach, Rule, RuleDraft, Scope
from tui.transcript import safe
from tui.transcript.panes.words import count
from tui.widgets.moments import seen_from, to_the_minute

VERDICTS = {Verdict.ALLOW: "allow", Verdict.DENY: "deny", Verdict.ASK: "ask about"}
MARKS = {Verdict.ALLOW: ("✓", "good"), Verdict.DENY: ("✗", "bad"), Verdict.ASK: ("?", "odd")}
_DECIDED = {
    Verdict.ALLOW: "It would be allowed",
    Verdict.DENY: "It would be denied",
    Verdict.ASK: "You are asked",
}


def pattern_words(pattern: Pattern) -> str:
    """What it speaks of: `git status`, and anything after it."""
    text = safe.line(str(pattern), 200)
    match pattern:
        case CommandPattern():
            return text
        case PathPattern():
            return f"changes of {text} and all in it"
        case HostPattern():
            return f"reaching {text}"
        case _:
            return f"the tool {text}"


def scope_words(scope: Scope, titles: dict[str, str] | None = None) -> str:
    """Where it holds; `titles`: of conversations, by id."""
    match scope.reach:
        case Reach.EVERYWHERE:
            return "everywhere"
        case Reach.WORKSPACE:
            return f"in {safe.line(scope.of, 200)}"
        case Reach.CONVERSATION:
            title = (titles or {}).get(scope.of, "")
            return f"in the conversation {safe.line(title or scope.of, 60)}"


def expiry_words(rule: RuleDraft, now_ms: float) -> str:
    """When it ends; "" for never."""
    if rule.expires_at_ms is None:
        return ""
    at = to_the_minute(rule.expires_at_ms)
    return f"expired {at}" if rule.expires_at_ms <= now_ms else f"until {at}"


def brief_expiry(rule: RuleDraft, now_ms: float) -> str:
    """The same in at most 18 cells: without the day where that is today, without the year where it is this one's."""
    if rule.expires_at_ms is None or rule.expires_at_ms <= now_ms:
        return expiry_words(rule, now_ms)
    return f"until {seen_from(rule.expires_at_ms, now_ms)}"


def hits_words(rule: Rule) -> str:
    """How often it decided, and when last."""
    if not rule.hits or rule.last_hit_ms is None:
        return "no hit yet"
    return f"{count(rule.hits, 'hit')}, last {to_the_minute(rule.last_hit_ms)}"


def standing_words(rule: Rule, now_ms: float) -> str:
    """Why it decides nothing now; "" where it does."""
    if not rule.enabled:
        return "disabled"
    expired = rule.expires_at_ms is not None and rule.expires_at_ms <= now_ms
    return "expired" if expired else ""


def in_a_line(rule: Rule, now_ms: float) -> str:
    """All of it, for a plain terminal."""
    parts = (
        f"{rule.id:>3}  {rule.verdict} {pattern_words(rule.pattern)}",
        f"[{scope_words(rule.scope)}]",
        expiry_words(rule, now_ms),
        hits_words(rule),
        "" if rule.enabled else "disabled",
        safe.line(rule.note, 100),
    )
    return "  ".join(part for part in parts if part)


def decision_words(decision: Decision) -> str:
    """What would decide, and why."""
    return f"{_DECIDED[decision.verdict]}. {safe.line(decision.why, 400)}"
