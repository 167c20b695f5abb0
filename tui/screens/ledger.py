"""The ledger: every decision, found as one types, with all that is known of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from time import time
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static

from core.access.ledger import EVERYTHING, LedgerFilter, hint_of, parse_filter
from core.conversation.feed import ConversationsChanged, FeedEvent, NotificationChanged, NotificationState
from core.errors import InvalidRequest, QuarterdeckError
from core.rows import LedgerCount, LedgerEntry, LedgerSummary
from tui.ledger.details import entry_lines, nowhere, row_of
from tui.ledger.export import ExportScreen
from tui.prompts.body import Body
from tui.prompts.judged_text import JudgedText
from tui.prompts.lines import Judged, Line, judged
from tui.screens.opening import Jump, OverScreen
from tui.transcript import safe
from tui.transcript.panes.words import count as counted
from tui.widgets.key_bar import KeyBar
from tui.widgets.key_names import key_shown
from tui.widgets.lazy_list import LazyList
from tui.widgets.text_line import TextLine

WIDE = 110
"""Cells from which on the details stand beside the list."""
PAUSE = 0.15
"""Seconds without a key before what is typed is looked for."""

_NOTHING = judged(())
_EMPTY = (
    Line("Nothing was decided yet.", "label"),
    Line(""),
    Line("Here is every decision: yours, those of rules and of profiles, and what became of each."),
    Line("Codex asks when something is to leave the sandbox; the prompt stands above the message."),
)


class LedgerScreen(OverScreen):
    """Typing filters, arrows move in the list, Enter leads to where it was decided."""

    AUTO_FOCUS = "#ledger-filter"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open in its conversation", priority=True),
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("tab", "app.focus_next", "Read it"),
        Binding("ctrl+s", "export", "Write to a file", priority=True),
        Binding("ctrl+r", "newer", "Show newer", priority=True),
        Binding("escape", "back", "Close", priority=True),
        Binding("f4", "dismiss(None)", "Close", show=False, id="ledger"),
    ]
    PART = "ledger"
    WRITES = True

    where: LedgerFilter | None = None
    """What the list shows; None before it shows anything."""
    _wanted: LedgerFilter = EVERYTHING
    """What was asked for last: it may not be shown yet."""
    _shown = LedgerCount(0, 0)
    _all = 0
    _news = False
    _pause: Timer | None = None
    _entry: LedgerEntry | None = None

    def compose(self) -> ComposeResult:
        self._list: LazyList[LedgerSummary] = LazyList(self._fetch, row_of, widget_id="ledger-list")
        # The arrows move in it from the filter too; a click in it leaves the typing where it was.
        self._list.can_focus = False
        self._text = JudgedText(_NOTHING)
        self._said = Static(id="ledger-said", markup=False)
        self._titles: dict[str, str] = {}
        with Vertical(id="ledger") as box:
            box.border_title = "Ledger"
            yield TextLine(placeholder="Find: git push who:rule outcome:failed since:2d", id="ledger-filter")
            yield self._said
            with Horizontal(id="ledger-parts"):
                yield self._list
                with Body(id="ledger-details"):
                    yield self._text
        yield KeyBar(urgent=("open",), last=("help", "back"), always="back", widget_id="ledger-keys")

    def on_mount(self) -> None:
        self._stop_listening = self.engine.feed.listen(self._hear)
        self.run_worker(self._begin, group="look", exclusive=True)

    def on_unmount(self) -> None:
        self._stop_listening()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= WIDE, "-wide")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        del parameters
        match action:
            case "open":
                return self._list.current is not None
            case "export":
                return bool(self._shown.count)
            case "newer":
                return self._news
            case _:
                return True

    def key_words(self, action: str) -> str | None:
        reading = isinstance(self.focused, Body)
        match action:
            case "scroll_up" | "scroll_down" if not reading:  # The key goes on from the line to the list.
                return "Choose" if self._shown.count > 1 else ""
            case "back" if reading:
                return "Back"
            case "back" if self.query_one(Input).value:
                return "Show all"
            case "focus_next":
                return "Find" if reading else "Read it"
            case _:
                return None

    # What is shown.

    async def _begin(self) -> None:
        with suppress(QuarterdeckError):
            infos = await self.engine.conversations()
            self._titles = {info.id: info.title for info in infos}
        await self._look(EVERYTHING)

    async def _look(self, where: LedgerFilter) -> None:
        """Show what is looked for, as it is now."""
        try:
            everything = await self.engine.ledger.count()
            shown = everything if where == EVERYTHING else await self.engine.ledger.count(where)
        except QuarterdeckError as error:
            self._say(str(error), problem=True)
            return
        self.where, self._shown, self._all = where, shown, everything.count
        self._news = False
        self._list.show(shown.count)
        self._list.display = bool(shown.count)
        self._say("")
        if not shown.count:
            self._show_details(judged(self._none_found() if self._all else _EMPTY))
        self.refresh_bindings()

    def _none_found(self) -> tuple[Line, ...]:
        key = key_shown(self.app, "ledger_back", "escape")
        return (Line(f"No decision is like that. {key} shows all of them again.", "muted"),)

    async def _fetch(self, offset: int, limit: int) -> Sequence[LedgerSummary]:
        try:
            return await self.engine.ledger.summaries(
                self.where or EVERYTHING, self._shown.newest, offset, limit
            )
        except QuarterdeckError as error:
            self._say(str(error), problem=True)
            return ()

    def on_lazy_list_moved(self) -> None:
        self.refresh_bindings()
        self.run_worker(self._read_current, group="details", exclusive=True)

    async def _read_current(self) -> None:
        summary = self._list.current
        self._entry = None
        if summary is None:
            return
        try:
            self._entry = await self.engine.ledger.entry(summary.id)
        except QuarterdeckError as error:
            self._say(str(error), problem=True)
            return
        title = self._titles.get(self._entry.conversation_id or "", "")
        if not title and self._entry.conversation_id:
            title = "a conversation without a title"
        self._show_details(await asyncio.to_thread(entry_lines, self._entry, title))

    def _show_details(self, text: Judged) -> None:
        self._text.show(text)
        self.query_one(Body).scroll_home(animate=False)

    def _say(self, text: str, *, problem: bool = False) -> None:
        """A sentence for the person; for none, how many there are and how to look for some."""
        box = self.query_one("#ledger")
        found = f"{self._shown.count:,} of " if self.where not in (None, EVERYTHING) else ""
        box.border_subtitle = Content(f"{found}{counted(self._all, 'decision')}")
        newer = key_shown(self.app, "ledger_newer", "ctrl+r")
        news = f"There are newer decisions: {newer} shows them" if self._news else ""
        hint = hint_of(self.query_one(Input).value)
        self._said.update(Content(safe.line(text) or news or hint))
        self._said.set_class(problem, "-problem")

    # What is typed.

    def on_input_changed(self) -> None:
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, self._typed)

    def _typed(self) -> None:
        try:
            where = parse_filter(self.query_one(Input).value, int(time() * 1000))
        except InvalidRequest as error:
            self._say(str(error), problem=True)
            return
        self._look_soon(where)

    def _look_soon(self, where: LedgerFilter) -> None:
        self._wanted = where
        self.run_worker(partial(self._look, where), group="look", exclusive=True)

    def action_move(self, step: int) -> None:
        self._list.move(step)

    def action_page(self, step: int) -> None:
        self._list.action_page(step)

    def action_back(self) -> None:
        """Out of the details, then out of the filter, then out of here."""
        field = self.query_one(Input)
        if self.focused is not field:
            field.focus()
        elif field.value:
            field.value = ""
        else:
            self.dismiss(None)

    def action_newer(self) -> None:
        self._look_soon(self._wanted)

    # Where one goes from here.

    def on_lazy_list_chosen(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        if self._entry is not None:
            self.run_worker(partial(self._open, self._entry), group="open", exclusive=True)

    async def _open(self, entry: LedgerEntry) -> None:
        if entry.conversation_id is None:
            self._say(f"It was in {nowhere(entry)}: there is no conversation to open.", problem=True)
            return
        try:
            box = await self.engine.ledger.box_of(entry)
        except QuarterdeckError as error:
            self._say(str(error), problem=True)
            return
        self.dismiss(Jump(entry.conversation_id, box))

    def action_export(self) -> None:
        self.app.push_screen(
            ExportScreen(self.engine, self.where or EVERYTHING, self._shown.count), self._exported
        )

    def _exported(self, said: str | None) -> None:
        if said is not None:
            self._say(said)

    # What is decided meanwhile.

    def _hear(self, event: FeedEvent) -> None:
        match event:
            case NotificationChanged(notification=one) if one.state is not NotificationState.PENDING:
                self._heard_news()
            case ConversationsChanged():
                self.run_worker(self._count_again, group="count", exclusive=True)
            case _:
                pass

    async def _count_again(self) -> None:
        """Another console may have decided something."""
        with suppress(QuarterdeckError):
            if (await self.engine.ledger.count()).count != self._all:
                self._heard_news()

    def _heard_news(self) -> None:
        """Shown at once where the newest is looked at; else it says so, and the list stays where it is."""
        if self._list.cursor == 0 and self.focused is not self.query_one(Body):
            self._look_soon(self._wanted)
        elif not self._news:
            self._news = True
            self._say("")
            self.refresh_bindings()
