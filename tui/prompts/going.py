"""Going on within a prompt: from its text through its fields to its choices, and never out of it."""

from __future__ import annotations

from textual.widget import Widget


def go_on(widget: Widget, step: int = 1) -> None:
    """Focus what comes after `widget` in its prompt, or before it with -1; at either end the focus stays."""
    prompt = next(
        (one for one in widget.ancestors if isinstance(one, Widget) and one.has_class("prompt")), None
    )
    if prompt is None:
        return
    places = [one for one in prompt.query("Body, Picker, Input, ChoiceBar") if one.display and one.can_focus]
    at = places.index(widget) + step
    if 0 <= at < len(places):
        places[at].focus()
