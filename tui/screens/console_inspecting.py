"""The inspector on the console: shown beside the conversation, over it where there is no room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from tui.screens.console_display import ConsoleDisplay

if TYPE_CHECKING:
    from tui.hearing import Heard
    from tui.inspector.following import Following, Seen
    from tui.inspector.inspector import Inspector

INSPECTING = "-inspecting"


class ConsoleInspecting(ConsoleDisplay):
    """Made when it is first wanted. The working tree is followed only while its changes are looked at."""

    inspector: Inspector | None = None
    _following: Following | None = None
    _seen: Seen | None = None

    async def action_inspect(self, section: str = "") -> None:
        """Into the inspector, which is shown for it; from within it, hide it. `section`: plan, changes, usage."""
        if self.desk is None:
            return
        if self.inspector is None:
            from tui.inspector.inspector import Inspector

            self.inspector = Inspector()
            await self.query_one("#deck").mount(self.inspector)
        elif self.has_class(INSPECTING) and self.inspector.has_focus_within and not section:
            self.leave_inspector()
            return
        self.add_class(INSPECTING)
        self.inspector.display = True
        if section:
            self.inspector.go(section)
        self.show_inspector()
        self.inspector.body.focus()
        self._follow_tree()

    def leave_inspector(self) -> None:
        """Hide it, and go on writing."""
        if self.inspector is not None:
            self.remove_class(INSPECTING)
            self.inspector.display = False
            self.composer.focus_input()
            self._follow_tree()

    def action_back(self) -> None:
        """Out of an inspector that lies over the conversation, it is hidden too."""
        over = self.has_class(INSPECTING) and not self.has_class("-broad")
        if over and self.inspector is not None and self.inspector.has_focus_within:
            self.leave_inspector()

    def show_place(self) -> None:
        super().show_place()
        self._seen = None
        self.show_inspector()
        self._follow_tree()

    def show_heard(self, heard: Heard) -> None:
        super().show_heard(heard)
        if heard.around or heard.thread:
            self.show_inspector()
        if heard.around and self._following is not None:
            self._following.read_again()

    def show_inspector(self) -> None:
        """Bring it up to date, if it is looked at."""
        if self.inspector is None or not self.has_class(INSPECTING) or self.desk is None:
            return
        from tui.inspector.facts import Facts

        place = self.desk.current
        conversation = place.conversation
        self.inspector.show(
            Facts(
                folder=place.path,
                plan=conversation.plan if conversation is not None else None,
                diff=conversation.diff if conversation is not None else None,
                usage=place.usage,
                limits=self.desk.engine.limits.current,
                selected=self.selected(),
                seen=self._seen,
            ),
            self.branch,
        )

    def _follow_tree(self) -> None:
        """Follow the working tree of the current place, while somebody looks at its changes."""
        self.run_worker(self._follow(), group="follow", exclusive=True)

    async def _follow(self) -> None:
        await self._follow_no_more()
        looked_at = self.has_class(INSPECTING) and self.inspector is not None
        if looked_at and self.desk is not None and self.inspector and self.inspector.section == "changes":
            from tui.inspector.following import Following

            self._following = Following(self.desk.current.path, self._hear_tree)

    async def _follow_no_more(self) -> None:
        following, self._following = self._following, None
        if following is not None:
            await following.close()

    def _hear_tree(self, seen: Seen) -> None:
        self._seen = seen
        self.show_inspector()

    async def close(self) -> str:
        await self._follow_no_more()
        return await super().close()

    # What the inspector says.

    def on_inspector_section_shown(self) -> None:
        self.show_inspector()
        self._follow_tree()

    def on_inspector_read_again(self) -> None:
        if self._following is not None:
            self._following.read_again()
        self.show_inspector()

    def on_inspector_opened(self, event: Inspector.Opened) -> None:
        self.run_worker(self._open_diff(event), group="diff", exclusive=True)

    async def _open_diff(self, event: Inspector.Opened) -> None:
        from tui.inspector.git import read_diff
        from tui.screens.diff import DiffScreen

        if event.tree is None or event.file is None:
            self.app.push_screen(DiffScreen("Changed in this turn", event.turn))
            return
        try:
            files = await read_diff(event.tree, event.file)
        except QuarterdeckError as error:
            self.tell_error(error)
            return
        if files:
            self.app.push_screen(DiffScreen("Changed since the last commit", files))
        else:
            self.notices.tell("This file is as in the last commit again.")
