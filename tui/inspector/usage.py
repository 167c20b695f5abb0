"""What the conversation used, and what the account may still use. Pure, but for the clock that is given."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from tui.inspector.facts import Facts
from tui.inspector.lines import Line
from tui.widgets.status_text import FULL, bar, percent_of, thousands

if TYPE_CHECKING:
    from core.agent.events import LimitWindow, RateLimits
    from core.conversation.choosing import Selected
    from core.conversation.feed import UsageChanged

BAR = 14
NO_USAGE = (
    "No turn yet. After the first one it stands here how full the model's context is, and what was used."
)
NO_LIMITS = "Codex tells none: it does so for people who are signed in with ChatGPT, after a turn."

_MINUTES_A_DAY = 1440


def usage_lines(facts: Facts, now: float, zone: tzinfo | None = None) -> Iterator[Line]:
    """`now` is Unix seconds, `zone` the one that times are told in (None: the machine's)."""
    yield from _context(facts.usage)
    yield Line()
    yield from _runs_with(facts.selected)
    yield Line()
    yield from _limits(facts.limits, now, zone)


def _context(usage: UsageChanged | None) -> Iterator[Line]:
    yield Line("Context", "bold $primary")
    if usage is None:
        yield Line(NO_USAGE, "$foreground 60%")
        return
    percent = percent_of(usage.context, usage.window)
    if percent is not None and usage.window is not None:
        words = f" {percent}%: {thousands(usage.context)} of {thousands(usage.window)} tokens"
        yield Line(words, "", bar(percent, BAR), "$warning" if percent >= FULL else "$success")
    else:
        yield Line(f"{usage.context:,} tokens; the model does not say how many it takes")
    tokens = usage.tokens
    yield Line()
    yield Line("Tokens of this conversation", "bold $primary")
    if tokens.sent or tokens.received:
        yield Line(f"{tokens.sent:,} in, {tokens.cached:,} of them from the cache")
        yield Line(f"{tokens.received:,} out, {tokens.reasoning:,} of them for thinking")
    yield Line(f"{usage.total:,} altogether")


def _runs_with(selected: Selected | None) -> Iterator[Line]:
    yield Line("Runs with", "bold $primary")
    if selected is None:
        yield Line("Not known until Codex is there.", "$foreground 60%")
        return
    for name in ("model", "effort", "profile", "sandbox", "approvals"):
        coming = "  from the next turn on" if name in selected.coming else ""
        yield Line((getattr(selected, name) or "not said") + coming, "", f"{name:<10}", "$foreground 60%")


def _limits(limits: RateLimits | None, now: float, zone: tzinfo | None) -> Iterator[Line]:
    plan = f" ({limits.plan})" if limits is not None and limits.plan else ""
    yield Line(f"Limits of the account{plan}", "bold $primary")
    if limits is None or not limits.windows:
        yield Line(NO_LIMITS, "$foreground 60%")
        return
    for window in limits.windows:
        used = max(0, min(100, window.used_percent))
        words = f" {window.used_percent}% of {_span(window)} used"
        yield Line(words, "", bar(used, BAR), "$warning" if used >= FULL else "$success")
        if window.resets_at is not None:
            yield Line(reset_words(window.resets_at, now, zone), "$foreground 60%", "  ")


def _span(window: LimitWindow) -> str:
    minutes = window.minutes
    if minutes is None:
        return "the limit"
    if minutes % _MINUTES_A_DAY == 0:
        days = minutes // _MINUTES_A_DAY
        return "a week" if days == 7 else "a day" if days == 1 else f"{days} days"
    return f"{minutes // 60} hours" if minutes % 60 == 0 else f"{minutes} minutes"


def reset_words(at: int, now: float, zone: tzinfo | None) -> str:
    """When a limit begins anew, and how long that is from now."""
    left = int(at - now)
    if left <= 0:
        return "begins anew with the next turn"
    local = datetime.fromtimestamp(at, UTC).astimezone(zone)
    shown = f"{local:%H:%M}" if left < 86_400 else f"{local:%a} {local.day} {local:%b}, {local:%H:%M}"
    hours, minutes = divmod(left // 60, 60)
    days, hours = divmod(hours, 24)
    parts = [f"{days} d"] * bool(days) + [f"{hours} h"] * bool(hours) + [f"{minutes} min"] * (not days)
    return f"begins anew at {shown}, in {' '.join(parts)}"
