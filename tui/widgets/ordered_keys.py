"""Keys in the order in which they were typed.

Textual inserts a letter as soon as the widget gets it, but runs a binding only when the key has gone all the
way up to the app: of "a, Enter, b" that arrive together, Enter would come last, and send "ab".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.binding import Binding
from textual.widget import Widget

if TYPE_CHECKING:
    _Base = Widget
else:
    _Base = object


class OrderedKeys(_Base):
    """A mixin for what is written in: it runs the bindings of its own at once."""

    async def _on_key(self, event: events.Key) -> None:
        for binding in own_bindings(self, event.key):
            if await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()
                return


def own_bindings(widget: Widget, key: str) -> Sequence[Binding]:
    """What a key does in a widget itself, with the person's own keys in force."""
    bindings = widget._bindings
    if keymap := widget.app._keymap:
        bindings = bindings.copy()
        bindings.apply_keymap(keymap)
    return bindings.key_to_bindings.get(key, ())
