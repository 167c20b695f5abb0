"""How a prompt shares the rows it is given: what is asked gives way first, the choices after it, neither wholly."""

from __future__ import annotations

from typing import Any

from tui.prompts.choice_bar import ChoiceBar
from tui.prompts.prompt import Prompt

AROUND = 2
"""Rows of a prompt's border: what is known to be around its parts before it is laid out."""

READABLE = 2
"""Rows of what is asked that stay as long as the choices have as many."""


def fit(prompt: Prompt[Any], rows: int) -> None:
    """Have it take `rows` rows at most. To be asked again when it was laid out, and whenever that changes."""
    bar = next(iter(prompt.query(ChoiceBar)), None)
    if bar is None or prompt.around is None:
        prompt.limit(max(rows - AROUND - READABLE, 1))
        return
    free = rows - (prompt.around - bar.outer_size.height)
    choices = rows_of_choices(free, bar.rows_at(prompt.content_size.width), entered=prompt.entered)
    if bar.styles.max_height is None or bar.styles.max_height.value != choices:
        bar.styles.max_height = choices
    prompt.limit(max(free - choices, 1))


def rows_of_choices(free: int, wanted: int, *, entered: bool) -> int:
    """Of `free` rows; they want `wanted`. The rest, if there is any, is for what is asked.

    None is left only where nobody is in the prompt, which says in its border how to go in.
    """
    for_body = READABLE if free >= 2 * READABLE + 1 else 1
    return max(int(entered), min(wanted, free - for_body))
