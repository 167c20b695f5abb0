"""A sub-agent: what it was asked to do, and how far it is."""

from __future__ import annotations

from tui.transcript.entries import Output
from tui.transcript.panes import Drawn, frames, output, words
from tui.transcript.reading import Delegated
from tui.transcript.rows import Runs, Styler

_NAMES = {
    "spawnAgent": "Sub-agent started",
    "sendInput": "Sub-agent told more",
    "resumeAgent": "Sub-agent resumed",
    "wait": "Waited for sub-agents",
    "closeAgent": "Sub-agent closed",
}
FOLD_LINES = 3


def draw(delegated: Delegated, width: int, styler: Styler, folded: bool | None) -> Drawn:
    call = delegated.call
    name = _NAMES.get(call.tool, call.tool)
    box = frames.Box(width, styler, (("↳ ", ("accent",)), (name, ("title",))), words.state(call.status))
    prompt = (call.prompt or "").strip().split("\n") if call.prompt else []
    result = Output(delegated.result)
    foldable = len(prompt) > FOLD_LINES + 1 or output.foldable(result, box.inside.width)
    folded = foldable and folded is not False
    shown = prompt[:FOLD_LINES] if folded else prompt
    for line in shown:
        box.inside.text([(line, ())])
    frames.notes(delegated.notes, box.inside)
    hidden = len(prompt) - len(shown) + output.draw(result, box.inside, folded=folded)
    if not prompt and not result and not delegated.notes:
        box.inside.rule([(", ".join(call.receivers) or "(no prompt)", ("muted",))])
    agents: Runs = ()
    if call.receivers:
        agents = ((words.count(len(call.receivers), "agent") + " · its menu goes there", ("muted",)),)
    box.close(agents, frames.fold_hint(hidden, "lines", folded=folded) if foldable else ())
    return box.canvas, folded if foldable else None
