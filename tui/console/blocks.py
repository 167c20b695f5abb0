"""What the console does with a block of the conversation: quote it, open it elsewhere, show its picture."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from tui.console.ability import Ability
from tui.transcript import safe

if TYPE_CHECKING:
    from tui.transcript.view import TranscriptView


class Blocks(Ability):
    """Answers what the transcript asks for."""

    def copy_link(self, url: str) -> None:
        """Somebody else's link is not followed at a click: it is shown whole, and copied."""
        self.console.app.copy_to_clipboard(url)
        self.console.notices.tell(f"Copied the address, not opened: {url}")

    def quote(self, text: str) -> None:
        """Into the message that is written."""
        from tui.transcript.blocks import quoted

        self.console.composer.put(quoted(text))
        self.console.composer.focus_input()

    def open(self, event: TranscriptView.OpenWanted) -> None:
        """In the pager or the editor."""
        self.console.run_worker(self._open_text(event), group="outside")

    async def _open_text(self, event: TranscriptView.OpenWanted) -> None:
        from tui import outside

        try:
            command = outside.editor() if event.editor else outside.pager()
            text = event.text if event.editor else safe.block(event.text, len(event.text))
            await outside.open_text(self.console.app, command, text, event.suffix)
        except QuarterdeckError as error:
            self.console.tell_error(error)

    def show_picture(self, path: str) -> None:
        """In the desktop's own viewer, if it is an image and there is one; else the path is copied."""
        self.console.run_worker(self._show_picture(path), group="outside", exclusive=True)

    async def _show_picture(self, path: str) -> None:
        from tui.transcript.pictures import picture_at

        notices = self.console.notices
        opener = "open" if sys.platform == "darwin" else "xdg-open"
        has_screen = sys.platform == "darwin" or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
        if await asyncio.to_thread(picture_at, path) is None:
            notices.tell(f"There is no image to be read at {path}", "warning")
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
            self.console.app.copy_to_clipboard(path)
            notices.tell(f"No viewer here; copied the path: {path}")
