"""The list of sessions: lines are drawn when they are seen, so that ten thousand cost as much as ten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import time
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from core.sessions.model import SessionMatch
from tui.keymap import Keyed
from tui.sessions.rows import (
    Heading,
    HitLine,
    Line,
    Title,
    heading_content,
    hit_content,
    lines_of,
    title_content,
    why_content,
)
from tui.widgets.line_view import LineView

NEAR = 30
"""Lines from the end at which more are asked for."""

SIDE = 1
"""Empty cells at both sides."""

SAID_INDENT = 2


class ResultList(Keyed, LineView, can_focus=True):
    """One session is marked. What can be done with it are actions of the screen, so that they work from here."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"results--marked"}

    PART = "sessions"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Resume", id="sessions_resume"),
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "move(-1000000000)", "First", show=False),
        Binding("end", "move(1000000000)", "Last that is listed", show=False),
        Binding("v,space", "screen.view", "View"),
        Binding("f", "screen.fork", "Fork"),
        Binding("r", "screen.rename", "Rename"),
        Binding("a", "screen.archive", "Archive"),
        Binding("d,delete", "screen.delete", "Delete"),
        Binding("u", "screen.undo", "Undo delete"),
        Binding("e", "screen.export", "Export"),
        Binding("t", "screen.tag", "Tag"),
        Binding("p", "screen.pin", "Pin"),
        Binding("c", "screen.copy_id", "Copy id"),
        Binding("y", "screen.copy_path", "Copy path"),
        Binding("o", "screen.open_folder", "Open folder"),
        Binding("g", "screen.group", "Group by folder", show=False),
        Binding("x", "screen.differences", "What is missing, and why", show=False),
        Binding("slash", "screen.type", "Find", show=False),
    ]

    class Marked(Message):
        """Another session is marked, or none."""

        def __init__(self, match: SessionMatch | None) -> None:
            super().__init__()
            self.match = match

    class Chosen(Message):
        """The person wants this session."""

        def __init__(self, match: SessionMatch) -> None:
            super().__init__()
            self.match = match

    class NearEnd(Message):
        """What is listed comes to its end."""

    class FolderClicked(Message):
        def __init__(self, folder: str) -> None:
            super().__init__()
            self.folder = folder

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self._home = str(Path.home())
        self._matches: Sequence[SessionMatch] = ()
        self._lines: list[Line] = []
        self._tops: list[int] = []
        self._order: list[int] = []
        self._grouped = False
        self._going: Mapping[str, int] = {}
        self._marked: int | None = None
        self._now_ms = int(time() * 1000)
        self._words = Content("")
        self._said: Sequence[Content] = ()

    @property
    def marked(self) -> SessionMatch | None:
        return None if self._marked is None else self._matches[self._marked]

    @property
    def lines(self) -> Sequence[Line]:
        return self._lines

    def show(self, matches: Sequence[SessionMatch], *, grouped: bool, anew: bool) -> None:
        """These sessions. The marked one stays marked, where it stood; `anew`: the first is marked."""
        key = None if anew or self.marked is None else self.marked.entry.key
        offset = 0 if self._marked is None else self._tops[self._marked] - self.scroll_offset.y
        before = self._place
        self._matches, self._grouped = matches, grouped
        self._lines = lines_of(matches, grouped=grouped)
        self._order = [line.match for line in self._lines if isinstance(line, Title)]
        self._tops = [0] * len(matches)
        for y, line in enumerate(self._lines):
            if isinstance(line, Title):
                self._tops[line.match] = y
        self._now_ms = int(time() * 1000)
        self._marked = self._again(key, before)
        self._fit()
        if anew:
            self.scroll_to(y=0, animate=False, force=True)
        elif self._marked is not None:
            self.scroll_to(y=max(0, self._tops[self._marked] - offset), animate=False, force=True)
        self.refresh()
        self.post_message(self.Marked(self.marked))
        self._ask_for_more()

    def say(self, words: Content) -> None:
        """What stands here while there is no session: why, and what to do."""
        self._words = words
        self._said = words.wrap(max(1, self._inner_width - 2 * SAID_INDENT))
        self.refresh()

    def show_going(self, going: Mapping[str, int]) -> None:
        """What is about to be deleted: seconds left, by key."""
        if going != self._going:
            self._going = dict(going)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        side = Strip.blank(SIDE, self.visual_style.rich_style)
        return Strip.join([side, self._inner_line(y, self._inner_width), side])

    @property
    def _inner_width(self) -> int:
        return max(1, self.scrollable_content_region.width - 2 * SIDE)

    def _inner_line(self, y: int, width: int) -> Strip:
        at = y + self.scroll_offset.y
        if not self._lines and 0 <= y - 1 < len(self._said):
            return self.strip_of(Content(" " * SAID_INDENT) + self._said[y - 1], width)
        if at >= len(self._lines):
            return Strip.blank(width, self.visual_style.rich_style)
        line = self._lines[at]
        ground = None
        if not isinstance(line, Heading) and line.match == self._marked:
            ground = Style(bgcolor=self.get_component_rich_style("results--marked").bgcolor)
        return self.strip_of(self._content(line, width), width, ground)

    def on_resize(self) -> None:
        self.say(self._words)
        self._fit()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        at = event.y + self.scroll_offset.y
        if not 0 <= at < len(self._lines):
            return
        line = self._lines[at]
        if isinstance(line, Heading):
            self.post_message(self.FolderClicked(line.folder))
            return
        self._mark(line.match)
        if event.chain == 2:
            self.action_choose()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._ask_for_more()

    def action_choose(self) -> None:
        if self.marked is not None:
            self.post_message(self.Chosen(self.marked))

    def action_move(self, step: int) -> None:
        """Mark another session."""
        if self._order:
            place = self._place + step
            self._mark(self._order[min(max(place, 0), len(self._order) - 1)])

    def action_page(self, step: int) -> None:
        """A screenful of lines on, to whatever session is there."""
        if self._marked is None:
            return
        wanted = self._tops[self._marked] + step * max(1, self.size.height - 1)
        places = [place for place, index in enumerate(self._order) if self._tops[index] <= wanted]
        self.action_move((places[-1] if places else 0) - self._place)

    @property
    def _place(self) -> int:
        """Which of the listed sessions is marked, in their order; 0 for none."""
        return self._order.index(self._marked) if self._marked in self._order else 0

    def _again(self, key: str | None, before: int) -> int | None:
        """The session that was marked, or the one that took its place."""
        if not self._order:
            return None
        found = next((index for index in self._order if self._matches[index].entry.key == key), None)
        if found is not None:
            return found
        return self._order[0 if key is None else min(before, len(self._order) - 1)]

    def _mark(self, index: int) -> None:
        self._marked = index
        top = self._tops[index]
        height = 1
        while top + height < len(self._lines) and isinstance(self._lines[top + height], HitLine):
            height += 1
        above = 1 if top and isinstance(self._lines[top - 1], Heading) else 0
        region = Region(0, top - above, self.size.width, height + above)
        self.scroll_to_region(region, animate=False, force=True)
        self.refresh()
        self.post_message(self.Marked(self.marked))
        self._ask_for_more()

    def _fit(self) -> None:
        self.set_lines(len(self._lines))

    def _ask_for_more(self) -> None:
        below = len(self._lines) - self.scroll_offset.y - self.size.height
        if self._lines and below < NEAR:
            self.post_message(self.NearEnd())

    def _content(self, line: Line, width: int) -> Content:
        if isinstance(line, Heading):
            return heading_content(line, self._home)
        match = self._matches[line.match]
        if isinstance(line, Title):
            seconds = self._going.get(match.entry.key)
            return title_content(match, width, self._now_ms, with_folder=not self._grouped, goes_in=seconds)
        return hit_content(line.hit, width) if isinstance(line, HitLine) else why_content(match.entry, width)
