"""The half of the sessions browser that finds and shows: the line, the list, the preview, what is told."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from core.conversation.feed import ConversationsChanged, IndexProgress, SessionsChanged, Told
from core.errors import QuarterdeckError
from core.sessions.model import Facets, IndexPhase, SessionEntry, SessionItem, SessionMatch, SessionQuery
from tui.bridge import Bridge
from tui.screens.opening import OverScreen
from tui.sessions import filter_line
from tui.sessions.find_input import FindInput
from tui.sessions.finding import Finder
from tui.sessions.preview import Preview
from tui.sessions.results import ResultList
from tui.sessions.told import told_content
from tui.widgets.key_bar import KeyBar
from tui.widgets.key_names import key_shown
from tui.widgets.notices import Notices, error_words

if TYPE_CHECKING:
    from core.engine import Engine

PREVIEWED = 40
"""Texts of a session that the preview shows."""

READ_AT_ONCE = 200
REST = 0.1
"""Seconds that a session stays marked before its texts are read."""

TICK = 1.0
WIDE = 100
TALL = 22
"""Columns from which the preview is beside the list, and rows from which it is below it."""


class FindingScreen(OverScreen):
    """What can be done with the marked session is the subclass's."""

    AUTO_FOCUS = "FindInput"

    class FeedWaiting(Message):
        """The engine told something."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]
        self.facets = Facets()
        self.field = FindInput(lambda: self.facets, widget_id="find")
        self.results = ResultList(widget_id="results")
        self.preview = Preview(widget_id="preview")
        self.notices = Notices(widget_id="notices")
        self.finder = Finder(engine.sessions, self._found)
        self._told = Static(id="told", markup=False)
        self._told_now = Content("")
        self._asked = filter_line.Asked(self.finder.query)
        self._grouped: bool | None = None
        self._progress = engine.sessions.progress
        self._bridge: Bridge | None = None
        self._items: tuple[SessionItem, ...] = ()
        self._items_of = ""
        self._previewing: SessionMatch | None = None
        self._possible: tuple[bool, bool] | None = None
        self._shown_query: SessionQuery | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="asking"):
            yield Static("Sessions", id="name", markup=False)
            yield self.field
        yield self._told
        with Container(id="found"):
            yield self.results
            yield self.preview
        yield self.notices
        yield KeyBar(urgent=("undo", "resume", "choose"), last=("help",), always="help", widget_id="keys")

    def on_mount(self) -> None:
        self._bridge = Bridge(self.engine.feed, self._wake)
        self.set_interval(TICK, self._tick)
        self._ask_anew()
        self._read_facets()
        self._show()

    def _wake(self) -> None:
        self.post_message(self.FeedWaiting())

    async def on_unmount(self) -> None:
        if self._bridge is not None:
            self._bridge.close()
        await self.finder.close()

    # What is asked, and what is found.

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._ask_anew()

    def _ask_anew(self) -> None:
        self._asked = filter_line.read(self.field.value, self.facets, datetime.now().astimezone())
        if self._asked.query != self.finder.query or not self.finder.found:
            self.finder.search(self._asked.query)
        self._show_told()

    def _found(self) -> None:
        """The finder has something else."""
        if not self.is_mounted:
            return
        anew = self.finder.shown != self._shown_query
        self._shown_query = self.finder.shown
        if anew:
            self._leave_reading()
        self.results.show(self.finder.matches, grouped=self.grouped, anew=anew)
        if self.finder.error is not None:
            self.notices.tell(error_words(self.finder.error), "error", topic="search")
        else:
            self.notices.forget("search")
        self._show()

    @property
    def grouped(self) -> bool:
        """By folder: as the person wants it, else where nothing is looked for."""
        if self._grouped is not None:
            return self._grouped
        return not self._asked.query.text and self._asked.query.folder is None

    @property
    def entry(self) -> SessionEntry | None:
        """The marked session."""
        return None if self.results.marked is None else self.results.marked.entry

    def on_finding_screen_feed_waiting(self) -> None:
        if self._bridge is None:
            return
        again = False
        for event in self._bridge.take():
            match event:
                case SessionsChanged() | ConversationsChanged():
                    again = True
                case IndexProgress():
                    self._progress = event.progress
                case Told(level, text, _) if level in ("info", "warning", "error"):
                    self.notices.tell(text, level)  # type: ignore[arg-type]
                case _:
                    pass
        if again:
            self.finder.refresh()
            self._read_facets()
        self._show()

    def _read_facets(self) -> None:
        self.run_worker(self._facets(), group="facets", exclusive=True)

    async def _facets(self) -> None:
        try:
            self.facets = await self.engine.sessions.facets()
        except QuarterdeckError as error:
            self.notices.tell(error_words(error), "error", topic="facets")
            return
        self._ask_anew()
        self._show()

    # What is shown.

    def _tick(self) -> None:
        self._show_going()
        self._show_told()

    def _show(self) -> None:
        self._show_told()
        self._show_going()
        nothing = not self.finder.matches
        if nothing:
            self.results.say(self._empty_words())
            if self.focused in (None, self.results, self.preview):
                self.field.focus()

    def _show_told(self) -> None:
        told = told_content(
            shown=len(self.finder.matches),
            total=self.finder.total,
            asked=self._asked,
            facets=self.facets,
            progress=self._progress,
            searching=self.finder.searching,
            width=self._told.size.width or self.size.width,
        )
        if not told.is_same(self._told_now):
            self._told_now = told
            self._told.update(told, layout=False)

    def _show_going(self) -> None:
        going = {one.key: one.seconds for one in self.engine.deletions.going}
        self.results.show_going(going)
        self._show_keys(going=bool(going))

    def _show_keys(self, *, going: bool) -> None:
        """Which keys work depends on whether a session is marked, and whether one is about to be deleted."""
        possible = (self.results.marked is not None, going)
        if possible != self._possible:
            self._possible = possible
            self.refresh_bindings()

    def _empty_words(self) -> Content:
        if not self.finder.found:
            return Content("Looking…")
        if self.field.value.strip():
            archived = "\nArchived sessions are found with is:any." if self.facets.archived else ""
            return Content(
                f"Nothing is found. Take a word or a filter back; {self._back_key()} clears the line.{archived}"
            )
        if self._progress.phase in (IndexPhase.LISTING, IndexPhase.WAITING):
            return Content("No session is known yet. They come as they are read.")
        return Content("There are no sessions yet. Go back and write a message: that begins the first one.")

    def _back_key(self) -> str:
        return key_shown(self.app, "sessions_back", "escape")

    def on_result_list_marked(self, event: ResultList.Marked) -> None:
        event.stop()
        match = event.match
        if match == self._previewing:
            return
        if match is None or self._previewing is None or match.entry.key != self._previewing.entry.key:
            self._items, self._items_of = (), ""
            self.preview.scroll_to(y=0, animate=False)
        self._previewing = match
        if self._previewed:
            self.preview.show(match, self._items, whole=self.reading)
            if match is not None:
                self.run_worker(self._preview(match, rest=REST), group="preview", exclusive=True)
        self._show_keys(going=bool(self.engine.deletions.going))

    @property
    def _previewed(self) -> bool:
        return self.has_class("-wide") or self.has_class("-tall") or self.reading

    async def _preview(self, match: SessionMatch, *, rest: float = 0.0) -> None:
        await asyncio.sleep(rest)
        limit = READ_AT_ONCE if self.reading else PREVIEWED
        try:
            items = await self.engine.sessions.items(match.entry.key, None, limit)
        except QuarterdeckError:
            return  # It went away meanwhile, or cannot be read: what the list says of it stands.
        if self.results.marked is not None and self.results.marked.entry.key == match.entry.key:
            if tuple(items) == self._items and not self.reading:
                return
            self._items, self._items_of = tuple(items), match.entry.key
            self.preview.show(self.results.marked, self._items, whole=self.reading)
            if self.reading:
                self.preview.scroll_end(animate=False)

    async def on_preview_earlier_wanted(self, event: Preview.EarlierWanted) -> None:
        event.stop()
        if self.reading and self._items and self._items[0].place > 1:
            self.run_worker(
                self._earlier(self._items_of, self._items[0].place), group="preview", exclusive=True
            )

    async def _earlier(self, key: str, place: int) -> None:
        try:
            found = await self.engine.sessions.items(key, place, READ_AT_ONCE)
        except QuarterdeckError as error:
            self.notices.tell(error_words(error), "error")
            return
        before = tuple(item for item in found if item.place < place)
        if before and key == self._items_of:
            height = self.preview.virtual_size.height
            self._items = (*before, *self._items)
            self.preview.show(self.results.marked, self._items, whole=True)
            self.call_after_refresh(
                lambda: self.preview.scroll_to(y=self.preview.virtual_size.height - height, animate=False)
            )

    @property
    def reading(self) -> bool:
        """The marked session is read in full."""
        return self.has_class("-reading")

    def _leave_reading(self) -> None:
        self.remove_class("-reading")
