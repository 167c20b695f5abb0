"""The sessions browser: what is typed finds and filters, the list shows, the preview tells more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input, Static

from core.conversation.feed import ConversationsChanged, IndexProgress, SessionsChanged, Told
from core.errors import QuarterdeckError
from core.sessions.model import Facets, IndexPhase, SessionEntry, SessionItem, SessionMatch
from tui.bridge import Bridge
from tui.screens.line import LineScreen
from tui.screens.opening import Jump, OverScreen
from tui.screens.pick import PickScreen
from tui.sessions import filter_line
from tui.sessions.actions import SessionActions
from tui.sessions.finding import Finder
from tui.sessions.menu import SORT_TITLE, filter_picks, sort_picks
from tui.sessions.preview import Preview
from tui.sessions.results import ResultList
from tui.sessions.rows import name_of
from tui.sessions.tell import TellScreen
from tui.sessions.told import told_content
from tui.transcript import safe
from tui.widgets.key_bar import KeyBar
from tui.widgets.notices import Notices, error_words
from tui.widgets.ordered_keys import OrderedKeys

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


class FindInput(OrderedKeys, Input):
    """Where one types. The list is moved through from here too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.move(-1)", show=False),
        Binding("down", "screen.move(1)", show=False),
        Binding("pageup", "screen.page(-1)", show=False),
        Binding("pagedown", "screen.page(1)", show=False),
        Binding("enter", "screen.resume", "Resume"),
        Binding("tab", "screen.into_list", "What can be done"),
    ]


class _Completing(Suggester):
    def __init__(self, screen: SessionsScreen) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._screen = screen

    async def get_suggestion(self, value: str) -> str | None:
        return filter_line.completion(value, self._screen.facets)


class SessionsScreen(OverScreen):
    """Closed with Escape; Enter goes to the marked session."""

    AUTO_FOCUS = "FindInput"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("f3", "dismiss(None)", "Close", show=False),
        Binding("ctrl+f", "filters", "Filters", priority=True),
        Binding("ctrl+s", "sorts", "Sort", priority=True),
        Binding("f1", "help", "Help", priority=True),
        Binding("ctrl+q", "app.quit", "Quit", show=False, priority=True),
    ]

    class FeedWaiting(Message):
        """The engine told something."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]
        self.facets = Facets()
        self.field = FindInput(
            placeholder="Type to find: words, or in:folder is:archived model:… since:2w",
            compact=True,
            suggester=_Completing(self),
            id="find",
        )
        self.results = ResultList(widget_id="results")
        self.preview = Preview(widget_id="preview")
        self.notices = Notices(widget_id="notices")
        self.actions = SessionActions(engine)
        self.finder = Finder(engine.sessions, self._found)
        self._told = Static(id="told", markup=False)
        self._told_now = Content("")
        self._empty = Static(id="empty", markup=False)
        self._asked = filter_line.Asked(self.finder.query)
        self._grouped: bool | None = None
        self._progress = engine.sessions.progress
        self._bridge: Bridge | None = None
        self._items: tuple[SessionItem, ...] = ()
        self._items_of = ""
        self._previewing: SessionMatch | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="asking"):
            yield Static("Sessions", id="name", markup=False)
            yield self.field
        yield self._told
        with Container(id="found"):
            yield self.results
            yield self._empty
            yield self.preview
        yield self.notices
        yield KeyBar(urgent=("resume", "choose"), last=("help",), always="help", widget_id="keys")

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

    _shown_query: object = None

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

    def on_sessions_screen_feed_waiting(self) -> None:
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
        self.set_class(nothing, "-nothing")
        if nothing:
            self._empty.update(self._empty_words())
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
        self.results.show_going({one.key: one.seconds for one in self.engine.deletions.going})
        self.refresh_bindings()

    def _empty_words(self) -> Content:
        if not self.finder.found:
            return Content("Looking…")
        if self.field.value.strip():
            archived = "\nArchived sessions are found with is:any." if self.facets.archived else ""
            return Content(f"Nothing is found. Take a word or a filter back; Esc clears the line.{archived}")
        if self._progress.phase in (IndexPhase.LISTING, IndexPhase.WAITING):
            return Content("No session is known yet. They come as they are read.")
        return Content("There are no sessions yet. Esc, then write a message: that begins the first one.")

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
        self.refresh_bindings()

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

    # Keys.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do nothing now are not shown."""
        del parameters
        match action:
            case "resume" | "view" | "fork" | "rename" | "tag" | "pin" | "archive" | "export" | "copy_id":
                return self.entry is not None
            case "delete" | "copy_path" | "open_folder" | "into_list":
                return self.entry is not None
            case "undo":
                return bool(self.engine.deletions.going)
            case _:
                return True

    @property
    def reading(self) -> bool:
        """The marked session is read in full."""
        return self.has_class("-reading")

    def action_back(self) -> None:
        """Out of what one reads, then clear the line, then close."""
        if self.reading:
            self.action_view()
        elif self.focused is not self.field:
            self.field.focus()
        elif self.field.value:
            self.field.value = ""
        else:
            self.dismiss(None)

    def action_type(self) -> None:
        self._leave_reading()
        self.field.focus()

    def action_into_list(self) -> None:
        self.results.focus()

    def action_move(self, step: int) -> None:
        self.results.action_move(step)

    def action_page(self, step: int) -> None:
        self.results.action_page(step)

    def action_view(self) -> None:
        """Read the session as it is, without going on with it; again: back to the list."""
        self.set_class(not self.reading, "-reading")
        if self.reading:
            self.preview.focus()
        else:
            self.results.focus()
        match = self.results.marked
        if match is not None:
            self.preview.show(match, self._items, whole=self.reading)
            self.run_worker(self._preview(match), group="preview", exclusive=True)

    def _leave_reading(self) -> None:
        self.remove_class("-reading")

    def action_group(self) -> None:
        self._grouped = not self.grouped
        self.results.show(self.finder.matches, grouped=self.grouped, anew=False)

    def action_help(self) -> None:
        from tui.screens.help import HelpScreen, Section

        extra = (
            ("in:name", "a folder, by its name or a part of its path"),
            ("is:…", ", ".join(filter_line.WHICH)),
            ("source: model: branch: tag:", "what the session has"),
            ("since: until:", "today, 3h, 2d, 2w, 1m, or 2026-01-31"),
            ('"a phrase"  wor*', "words in that order; a word by its beginning (the last one always is)"),
            ("→", "takes the completion"),
        )
        sections = (
            Section("Sessions", self.BINDINGS),
            Section("In the line", FindInput.BINDINGS, extra),
            Section("In the list (Tab goes there)", ResultList.BINDINGS),
        )
        self.app.push_screen(HelpScreen(sections))

    # What is done with the marked session.

    def on_result_list_chosen(self, event: ResultList.Chosen) -> None:
        event.stop()
        self.action_resume()

    def action_resume(self) -> None:
        """Go on with it in the console, shown where the words were found."""
        match = self.results.marked
        if match is not None:
            box_id = next((hit.box_id for hit in match.hits if hit.box_id is not None), None)
            self._do(self._go(self.actions.conversation(match.entry), box_id))

    def action_fork(self) -> None:
        """Go on from its end in another conversation."""
        if self.entry is not None:
            self._do(self._go(self.actions.fork(self.entry)))

    async def _go(self, finding: Awaitable[str], box_id: int | None = None) -> None:
        self.dismiss(Jump(await finding, box_id))

    def action_rename(self) -> None:
        if self.entry is not None:
            self._do(self._rename(self.entry))

    async def _rename(self, entry: SessionEntry) -> None:
        title = await self.app.push_screen_wait(LineScreen("Its title, here and at Codex", entry.title))
        if title is not None:
            await self.actions.rename(entry, title)
            self.notices.tell(f"Renamed: {title.strip()}")

    def action_tag(self) -> None:
        if self.entry is not None:
            self._do(self._tag(self.entry))

    async def _tag(self, entry: SessionEntry) -> None:
        screen = LineScreen("Its tags, with commas between them", ", ".join(entry.tags), "tag:… finds them")
        tags = await self.app.push_screen_wait(screen)
        if tags is not None:
            await self.actions.tag(entry, tags)

    def action_pin(self) -> None:
        if self.entry is not None:
            self._do(self.actions.pin(self.entry))

    def action_archive(self) -> None:
        if self.entry is not None:
            self._do(self._told_after(self.actions.archive(self.entry)))

    def action_export(self) -> None:
        if self.entry is not None:
            self._do(self._export(self.entry))

    async def _export(self, entry: SessionEntry) -> None:
        name = await self.actions.export_name(entry)
        title = "Export to a file: .html or .md to read, .jsonl to import"
        path = await self.app.push_screen_wait(LineScreen(title, name))
        if path is not None:
            self.notices.tell(await self.actions.export(entry, path))

    def action_delete(self) -> None:
        """In 30 seconds; until then it can be taken back, and quitting deletes nothing."""
        entry = self.entry
        if entry is None:
            return
        going = {one.key for one in self.engine.deletions.going}
        if entry.key in going:
            return
        self.engine.deletions.later(entry.key, name_of(entry))
        self.notices.tell(
            f"Deleted at Codex in 30 seconds: {name_of(entry, 40)}. u takes it back. What Quarterdeck recorded "
            "stays on the disk, and Codex keeps a session that another was forked from.",
            "warning",
            topic="delete",
        )
        self._show_going()

    def action_undo(self) -> None:
        """Take back the deletion of the marked session, or the last one."""
        going = self.engine.deletions.going
        keys = [one.key for one in going]
        if not keys:
            return
        key = self.entry.key if self.entry is not None and self.entry.key in keys else keys[-1]
        title = next(one.title for one in going if one.key == key)
        if self.engine.deletions.undo(key):
            self.notices.forget("delete")
            self.notices.tell(f"It stays: {title}")
        self._show_going()

    def action_copy_id(self) -> None:
        entry = self.entry
        if entry is not None:
            self._copy(entry.thread_id or entry.conversation_id or entry.key)

    def action_copy_path(self) -> None:
        if self.entry is not None:
            self._copy(self.entry.rollout or self.entry.folder)

    def _copy(self, text: str) -> None:
        copied = safe.copyable(text)
        self.app.copy_to_clipboard(copied)
        self.notices.tell(f"Copied {copied}")

    def action_open_folder(self) -> None:
        if self.entry is not None:
            self._do(self.actions.open_folder(self.entry))

    def action_differences(self) -> None:
        self._do(self._differences())

    async def _differences(self) -> None:
        text = await self.actions.differences()
        await self.app.push_screen_wait(TellScreen("What is missing, and why", text))

    def action_filters(self) -> None:
        self._do(self._filters())

    async def _filters(self) -> None:
        picks = filter_picks(self.facets, self._asked.filters)
        await self._pick_into_line("Filter by", picks)

    def action_sorts(self) -> None:
        self._do(self._pick_into_line(SORT_TITLE, sort_picks(self._asked.query)))

    async def _pick_into_line(self, title: str, picks: Iterable) -> None:  # type: ignore[type-arg]
        value = await self.app.push_screen_wait(PickScreen(title, tuple(picks)))
        if value is not None:
            name, _, wanted = value.partition(":")
            self.field.value = filter_line.with_filter(self.field.value, name, wanted)
            self.field.cursor_position = len(self.field.value)

    def on_result_list_near_end(self, event: ResultList.NearEnd) -> None:
        event.stop()
        self.finder.more()

    def on_result_list_folder_clicked(self, event: ResultList.FolderClicked) -> None:
        event.stop()
        self.field.value = filter_line.with_filter(self.field.value, "in", event.folder)

    async def _told_after(self, work: Awaitable[str]) -> None:
        self.notices.tell(await work)

    def _do(self, work: Awaitable[None]) -> None:
        """Have it done; a failure is told."""
        self.run_worker(self._attempt(work), group="do")

    async def _attempt(self, work: Awaitable[None]) -> None:
        try:
            await work
        except QuarterdeckError as error:
            self.notices.tell(error_words(error), "error")
