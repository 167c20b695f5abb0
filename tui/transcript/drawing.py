"""Draws entries: reads what one says, has the pane of its kind draw it, and keeps what streams between drawings."""

from __future__ import annotations

import logging
from collections.abc import Callable
from weakref import WeakKeyDictionary

from rich.segment import Segment

from core.agent.items import Image, Marker, OtherItem, WebSearch
from tui.transcript.entries import Entry
from tui.transcript.live import LiveMarkdown
from tui.transcript.panes import (
    Drawn,
    command,
    file_change,
    image,
    marker,
    message,
    notice,
    other,
    plan,
    reasoning,
    sub_agent,
    tool,
    user,
    web_search,
)
from tui.transcript.reading import (
    Called,
    Changed,
    Content,
    Delegated,
    Noted,
    Planned,
    Ran,
    Said,
    Seen,
    Thought,
    Unread,
    Written,
    read,
)
from tui.transcript.rows import Rendered, Row, Styler
from tui.transcript.showing import Show

log = logging.getLogger(__name__)

MAX_SHOWN = 20_000
"""Characters shown of an entry that its pane failed on."""


class Drawer:
    """Entries to rows, in the styles of one view."""

    def __init__(self, styler: Styler) -> None:
        self._styler = styler
        self._live: WeakKeyDictionary[Entry, LiveMarkdown] = WeakKeyDictionary()

    def draw(self, entry: Entry, width: int, show: Show | None = None) -> Rendered:
        """The entry's rows at `width` cells, with the empty row that parts it from the next.

        `show` gives it its pictures; None where there are none to be shown.
        """
        content = read(entry)
        rendered = self._careful(entry, content, width, lambda: self._drawn(entry, content, width, show))
        rendered.rows.append(Row((Segment(" " * width, self._styler(())),), -1, 0, 0, 0))
        return rendered

    def unfolded(self, entry: Entry, width: int) -> Rendered:
        """The whole entry, whatever of it is folded; nothing of this drawing is kept."""
        content = read(entry)
        return self._careful(entry, content, width, lambda: self._once(content, width, folded=False))

    def forget(self) -> None:
        """Styles or width are others now: what streams is drawn from its beginning next time."""
        self._live.clear()

    def _careful(self, entry: Entry, content: Content, width: int, draw: Callable[[], Rendered]) -> Rendered:
        """One entry that a pane cannot take must not make its conversation unreadable: it says so itself."""
        try:
            return draw()
        except Exception as error:
            log.exception("an entry could not be drawn: %r", entry)
            damaged = Unread(type(content).__name__, "", repr(content)[:MAX_SHOWN], why=repr(error)[:200])
            canvas, folded = other.draw_unread(damaged, width, self._styler, entry.folded)
            return Rendered(canvas.rows, canvas.lines, canvas.links, folded)

    def _drawn(self, entry: Entry, content: Content, width: int, show: Show | None) -> Rendered:
        rendered = self._streamed(entry, content, width) if isinstance(content, Written) else None
        return rendered if rendered is not None else self._once(content, width, show, folded=entry.folded)

    def _once(
        self, content: Content, width: int, show: Show | None = None, *, folded: bool | None
    ) -> Rendered:
        canvas, folded = _draw(content, width, self._styler, folded, show)
        return Rendered(canvas.rows, canvas.lines, canvas.links, folded)

    def _streamed(self, entry: Entry, written: Written, width: int) -> Rendered | None:
        """A message that streams, or that did until now; None for any other."""
        live = self._live.get(entry)
        if live is not None and live.width != width:
            live = None
        if written.live:
            if live is None:
                live = self._live[entry] = message.live(width, self._styler)
            return message.draw_live(written, live)
        self._live.pop(entry, None)
        if live is None or entry.folded is not None or not message.continues(written, live):
            return None
        if live.exact or message.foldable(written):
            return message.draw_live(written, live)
        return self._once(written, width, folded=None)


def _draw(content: Content, width: int, styler: Styler, folded: bool | None, show: Show | None) -> Drawn:
    match content:
        case Said():
            return user.draw(content, width, styler, folded, show)
        case Written():
            return message.draw(content, width, styler, folded)
        case Thought():
            return reasoning.draw(content, width, styler, folded)
        case Planned():
            return plan.draw(content, width, styler, folded)
        case Ran():
            return command.draw(content, width, styler, folded)
        case Changed():
            return file_change.draw(content, width, styler, folded)
        case Called():
            return tool.draw(content, width, styler, folded)
        case Delegated():
            return sub_agent.draw(content, width, styler, folded)
        case Noted():
            return notice.draw(content, width, styler, folded)
        case Unread():
            return other.draw_unread(content, width, styler, folded)
        case Seen():
            return _draw_item(content, width, styler, folded, show)


def _draw_item(seen: Seen, width: int, styler: Styler, folded: bool | None, show: Show | None) -> Drawn:
    match seen.item:
        case WebSearch() as item:
            return web_search.draw(item, width, styler, folded)
        case Image() as item:
            return image.draw(item, width, styler, folded, show)
        case Marker() as item:
            return marker.draw(item, width, styler, folded)
        case OtherItem() as item:
            return other.draw(item, width, styler, folded)
        case item:
            return other.draw_unread(Unread(item.kind, "", item.model_dump_json()), width, styler, folded)
