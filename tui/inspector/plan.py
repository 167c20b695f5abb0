"""The plan, with how far it got. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tui.inspector.lines import Line
from tui.widgets.status_text import bar

if TYPE_CHECKING:
    from core.conversation.feed import PlanChanged

BAR = 20
EMPTY = "No plan yet. For longer work Codex writes one, and it is shown here as it goes on."

_MARKS = {
    "completed": ("✓ ", "$success", "$foreground 60%"),
    "inProgress": ("▸ ", "$accent", "bold"),
    "pending": ("○ ", "$foreground 50%", ""),
}


def plan_lines(plan: PlanChanged | None) -> Iterator[Line]:
    if plan is None or not plan.steps:
        yield Line(EMPTY, "$foreground 60%")
        return
    done = sum(step.status == "completed" for step in plan.steps)
    percent = round(100 * done / len(plan.steps))
    yield Line(f" {done} of {len(plan.steps)} done", "", bar(percent, BAR), "$success")
    if plan.explanation:
        yield Line()
        for paragraph in plan.explanation.splitlines():
            yield Line(paragraph, "$foreground 80%")
    yield Line()
    for step in plan.steps:
        mark, mark_style, style = _MARKS.get(step.status, ("· ", "", ""))
        yield Line(step.step, style, mark, mark_style)
