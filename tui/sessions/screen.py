"""The sessions browser: its keys, and what is done with the marked session."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from core.errors import QuarterdeckError
from core.sessions.model import SessionEntry
from tui.screens.line import LineScreen
from tui.screens.opening import Jump
from tui.screens.pick import Pick, PickScreen
from tui.sessions import filter_line
from tui.sessions.actions import SessionActions
from tui.sessions.find_input import FindInput
from tui.sessions.finding_screen import FindingScreen
from tui.sessions.menu import SORT_TITLE, filter_picks, sort_picks
from tui.sessions.preview import Preview
from tui.sessions.results import ResultList
from tui.sessions.rows import name_of
from tui.sessions.tell import TellScreen
from tui.transcript import safe
from tui.widgets.key_names import key_shown
from tui.widgets.notices import error_words

if TYPE_CHECKING:
    from core.engine import Engine


class SessionsScreen(FindingScreen):
    """Closed with Escape; Enter goes to the marked session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("f3", "dismiss(None)", "Close", show=False, id="sessions"),
        Binding("ctrl+f", "filters", "Filters", priority=True),
        Binding("ctrl+s", "sorts", "Sort", priority=True),
        Binding("f1", "help", "Help", priority=True, id="help"),
        Binding("ctrl+q", "app.quit", "Quit", show=False, priority=True, id="quit"),
    ]
    PART = "sessions"

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.actions = SessionActions(engine)

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

    def key_words(self, action: str) -> str | None:
        match action:
            case "move(-1)" | "move(1)":
                return "Choose" if len(self.finder.matches) > 1 else ""
            case "help" if self.focused is self.results:
                return "All keys"
            case "back" if self.reading:
                return ""  # It is said by the key that reads.
            case "back" if self.focused is self.field:
                return "Clear" if self.field.value else "Close"
            case _:
                return None

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
        into = key_shown(self.app, "sessions_into_list", "tab")
        sections = (
            Section("Sessions", self.BINDINGS),
            Section("In the line", FindInput.BINDINGS, extra),
            Section(f"In the list ({into} goes there)", ResultList.BINDINGS),
            Section("Reading one", Preview.BINDINGS),
        )
        self.app.push_screen(HelpScreen(sections, getattr(self.app, "keys", {})))

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
            f"Deleted at Codex in 30 seconds: {name_of(entry, 40)}. "
            f"{key_shown(self.app, 'sessions_undo', 'u')} takes it back. What Quarterdeck recorded "
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

    async def _pick_into_line(self, title: str, picks: Iterable[Pick]) -> None:
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
