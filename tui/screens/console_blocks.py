"""What the console does with a block of the conversation: quote, open, fork, go to a sub-agent."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from tui.screens.console_reading import ConsoleReading
from tui.transcript import safe

if TYPE_CHECKING:
    from tui.transcript.view import TranscriptView


class ConsoleBlocks(ConsoleReading):
    """Answers what the transcript asks for."""

    def on_transcript_view_copied(self, event: TranscriptView.Copied) -> None:
        self.notices.tell(f"Copied {event.characters} characters")

    def on_transcript_view_open_link(self, event: TranscriptView.OpenLink) -> None:
        """Somebody else's link is not followed at a click: it is shown whole, and copied."""
        self.app.copy_to_clipboard(event.url)
        self.notices.tell(f"Copied the address, not opened: {event.url}")

    def on_transcript_view_quoted(self, event: TranscriptView.Quoted) -> None:
        from tui.transcript.blocks import quoted

        self.composer.put(quoted(event.text))
        self.composer.focus_input()

    def on_transcript_view_open_wanted(self, event: TranscriptView.OpenWanted) -> None:
        self.run_worker(self._open_text(event), group="outside", exclusive=True)

    async def _open_text(self, event: TranscriptView.OpenWanted) -> None:
        from tui import outside

        try:
            command = outside.editor() if event.editor else outside.pager()
            text = event.text if event.editor else safe.block(event.text, len(event.text))
            await outside.open_text(self.app, command, text, event.suffix)
        except QuarterdeckError as error:
            self.tell_error(error)

    def on_transcript_view_picture_wanted(self, event: TranscriptView.PictureWanted) -> None:
        self.run_worker(self._show_picture(event.path), group="outside", exclusive=True)

    async def _show_picture(self, path: str) -> None:
        """In the desktop's own viewer, if it is an image and there is one; else the path is copied."""
        from tui.transcript.pictures import picture_at

        opener = "open" if sys.platform == "darwin" else "xdg-open"
        has_screen = sys.platform == "darwin" or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
        if await asyncio.to_thread(picture_at, path) is None:
            self.notices.tell(f"There is no image to be read at {path}", "warning")
            return
        try:
            if not has_screen:
                raise FileNotFoundError(opener)
            null = asyncio.subprocess.DEVNULL
            process = await asyncio.create_subprocess_exec(
                opener, path, stdin=null, stdout=null, stderr=null, start_new_session=True
            )
            await process.wait()
        except FileNotFoundError:
            self.app.copy_to_clipboard(path)
            self.notices.tell(f"No viewer here; copied the path: {path}")

    async def on_transcript_view_fork_wanted(self, event: TranscriptView.ForkWanted) -> None:
        await self.run_action(f"fork_from({event.box_id})")

    async def on_transcript_view_revert_wanted(self, event: TranscriptView.RevertWanted) -> None:
        await self.run_action(f"revert_to({event.box_id})")
