"""Opening a page of the web outside: by a process of its own, which has no terminal to take and nobody waits for."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from textual.app import App

from tui.transcript import safe


def is_page(url: str) -> bool:
    """Is it an address of the web? Others start programs that nobody thought of."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host) and url.isprintable() and " " not in url


def open_page(app: App[Any], url: str, tell: Callable[[str], None]) -> None:
    """Have the person's browser show it; `tell` is given what was done, in words."""
    if not is_page(url):
        tell(f"It is no page of the web, so it was not opened: {safe.line(url, 200)}")
        return
    app.run_worker(_open(url, tell), group="browser", exit_on_error=False)


async def _open(url: str, tell: Callable[[str], None]) -> None:
    null = asyncio.subprocess.DEVNULL
    try:
        # As a module of a process of its own: whatever browser it finds may block, or want a terminal.
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "webbrowser", url),
            stdin=null,
            stdout=null,
            stderr=null,
            start_new_session=True,
        )
    except OSError as error:
        tell(f"No browser could be started: {error}")
        return
    tell(f"Your browser was asked to show {safe.line(url, 200)}")
    await process.wait()
