"""Told to end, or the terminal is gone: let go of everything in order, or at least at once.

What writes to the lost terminal may block for good, the event loop with it: so a thread of its own waits
for the loss. All that matters is on disk at every moment (DESIGN, What must hold); a console that lived on
unseen would keep its conversations from every other one.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
GRACE_SECONDS = 4.0
"""How long an orderly end may take, once nobody can see it."""


_heeded: list[Callable[[], object]] = []
"""What is called at a signal: the last of them."""


def heed_signals(end: Callable[[], object]) -> None:
    """Call `end`, on the running loop, when a signal says so: as when a person quits."""
    _heeded.append(end)
    for number in SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, end)


def heed_signals_no_more() -> None:
    _heeded.clear()
    for number in SIGNALS:
        asyncio.get_running_loop().remove_signal_handler(number)


@contextmanager
def interrupts_are_anothers() -> Iterator[None]:
    """Ctrl+C reaches every process of the terminal: while this lasts it is meant for another one."""
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, lambda: None)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        for end in _heeded[-1:]:
            loop.add_signal_handler(signal.SIGINT, end)


def watch_terminal(descriptor: int, gone: Callable[[], object]) -> None:
    """Call `gone`, from another thread, when the terminal is; the process has ended soon after that."""
    if hasattr(select, "poll") and os.isatty(descriptor):
        threading.Thread(target=_watch, args=(descriptor, gone), name="terminal-watch", daemon=True).start()


def _watch(descriptor: int, gone: Callable[[], object]) -> None:
    poller = select.poll()
    poller.register(descriptor, 0)
    while not poller.poll():
        continue
    gone()
    time.sleep(GRACE_SECONDS)
    os._exit(0)
