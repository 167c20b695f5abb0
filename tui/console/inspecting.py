"""The inspector on the console: shown beside the conversation, over it where there is no room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from tui.console.ability import Ability

if TYPE_CHECKING:
    from tui.hearing import Heard
    from tui.inspector.following import Following, Seen
    from tui.inspector.inspector import Inspector

INSPECTING = "-inspecting"


class Inspecting(Ability):
    """Made when it is first wanted. The working tree is followed only while its changes are looked at."""

    panel: Inspector | None = None
    _following: Following | None = None
    _seen: Seen | None = None

    async def enter(self, section: str) -> None:
        """Into the inspector, which is shown for it; from within it, hide it. `section`: plan, changes, usage, or ""."""
        if self.desk is None:
            return
        if self.panel is None:
            from tui.inspector.inspector import Inspector

            self.panel = Inspector()
            await self.console.query_one("#deck").mount(self.panel)
        elif self._shown and self.panel.has_focus_within and not section:
            self.leave()
            return
        self.console.add_class(INSPECTING)
        self.panel.display = True
        if section:
            self.panel.go(section)
        self.show()
        self.panel.body.focus()
        self._follow_tree()

    @property
    def _shown(self) -> bool:
        return self.console.has_class(INSPECTING)

    def leave(self) -> None:
        """Hide it, and go on writing."""
        if self.panel is not None:
            self.console.remove_class(INSPECTING)
            self.panel.display = False
            self.console.composer.focus_input()
            self._follow_tree()

    def back(self) -> None:
        """Out of an inspector that lies over the conversation, it is hidden too."""
        over = self._shown and not self.console.has_class("-broad")
        if over and self.panel is not None and self.panel.has_focus_within:
            self.leave()

    def place_shown(self) -> None:
        self._seen = None
        self.show()
        self._follow_tree()

    def heard(self, heard: Heard) -> None:
        if heard.around or heard.thread:
            self.show()
        if heard.around and self._following is not None:
            self._following.read_again()

    def show(self) -> None:
        """Bring it up to date, if it is looked at."""
        if self.panel is None or not self._shown or self.desk is None:
            return
        from tui.inspector.facts import Facts

        place = self.desk.current
        conversation = place.conversation
        self.panel.show(
            Facts(
                folder=place.path,
                plan=conversation.plan if conversation is not None else None,
                diff=conversation.diff if conversation is not None else None,
                usage=place.usage,
                limits=self.desk.engine.limits.current,
                selected=self.console.selected(),
                seen=self._seen,
            ),
            self.console.branch,
        )

    def turn_to_section(self) -> None:
        """Another of its sections is looked at."""
        self.show()
        self._follow_tree()

    def read_again(self) -> None:
        """Read the working tree again now."""
        if self._following is not None:
            self._following.read_again()
        self.show()

    def _follow_tree(self) -> None:
        """Follow the working tree of the current place, while somebody looks at its changes."""
        self.console.run_worker(self._follow(), group="follow", exclusive=True)

    async def _follow(self) -> None:
        await self.close()
        looked_at = self._shown and self.panel is not None and self.panel.section == "changes"
        if looked_at and self.desk is not None:
            from tui.inspector.following import Following

            self._following = Following(self.desk.current.path, self._hear_tree)

    async def close(self) -> None:
        following, self._following = self._following, None
        if following is not None:
            await following.close()

    def _hear_tree(self, seen: Seen) -> None:
        self._seen = seen
        self.show()

    def open(self, event: Inspector.Opened) -> None:
        """Open a diff."""
        self.console.run_worker(self._open_diff(event), group="diff", exclusive=True)

    async def _open_diff(self, event: Inspector.Opened) -> None:
        from tui.inspector.git import read_diff
        from tui.screens.diff import DiffScreen

        app = self.console.app
        if event.tree is None or event.file is None:
            app.push_screen(DiffScreen("Changed in this turn", event.turn))
            return
        try:
            files = await read_diff(event.tree, event.file)
        except QuarterdeckError as error:
            self.console.tell_error(error)
            return
        if files:
            app.push_screen(DiffScreen("Changed since the last commit", files))
        else:
            self.console.notices.tell("This file is as in the last commit again.")
