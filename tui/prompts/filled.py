"""What a person put into a prompt: kept while the prompt is away, given back where it cannot be sent any more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.widget import Widget
from textual.widgets import Input

from tui.prompts.picker import Picker


@dataclass(frozen=True, slots=True)
class Filled:
    """`fields` and `picked` are in the order on the screen, `message` is what is to go with a refusal.

    `words` are what was written by hand and may stand in a message: no secret is among them.
    """

    fields: tuple[str, ...] = ()
    picked: tuple[tuple[int, ...], ...] = ()
    message: str = ""
    words: tuple[str, ...] = ()

    def put_into(self, body: Widget) -> None:
        """Have the fields of the same request hold it again."""
        for field, value in zip(body.query(Input), self.fields, strict=False):
            field.value = value
        for picker, picked in zip(body.query(Picker), self.picked, strict=False):
            picker.hold(picked)


def values_of(body: Widget) -> tuple[str, ...]:
    """What stands in the fields."""
    return tuple(field.value for field in body.query(Input))


def filled_of(body: Widget, begun: Sequence[str], message: str) -> Filled:
    """`begun` is what stood in the fields before the person came."""
    fields = list(body.query(Input))
    before = (*begun, *("" for _ in fields))
    written = [
        field.value
        for field, value in zip(fields, before, strict=False)
        if field.value.strip() and field.value != value and not field.password
    ]
    return Filled(
        fields=values_of(body),
        picked=tuple(picker.picked for picker in body.query(Picker)),
        message=message,
        words=(*written, *((message,) if message.strip() else ())),
    )
