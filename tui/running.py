"""Running a command that opens no screen: its settings, its errors, its exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from core.errors import QuarterdeckError

if TYPE_CHECKING:
    from core.settings import Settings

USAGE_ERROR = 2
SIGNALLED = 128
"""The exit code is this and the number of the signal, as shells have it."""

HELP = {"help_option_names": ["-h", "--help"]}
T = TypeVar("T")


def run(
    work: Callable[[Settings], Coroutine[Any, Any, T]],
    codes: Iterable[tuple[type[QuarterdeckError], int]] = (),
) -> T:
    """Run it with the settings of the file; an error of ours is one sentence, and the exit code that `codes`
    gives it, else 1. A signal to end has it let go of everything first; a second one ends it at once.
    """
    import asyncio

    from core.settings import config_path, load_settings

    told: list[int] = []

    async def heeding() -> T:
        _heed_signals(told)
        return await work(load_settings(config_path()))

    try:
        return asyncio.run(heeding())
    except asyncio.CancelledError:
        sys.exit(SIGNALLED + told[0])
    except QuarterdeckError as error:
        fail(error, next((code for kind, code in codes if isinstance(error, kind)), 1))


def _heed_signals(told: list[int]) -> None:
    """Have what runs cancelled by a signal, as it is by Ctrl+C; the signal is put into `told`."""
    import asyncio
    import signal

    loop, running = asyncio.get_running_loop(), asyncio.current_task()
    assert running is not None

    def end(number: int) -> None:
        told.append(number)
        loop.remove_signal_handler(number)
        running.cancel()

    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, end, number)


def fail(error: QuarterdeckError, code: int) -> NoReturn:
    click.echo(str(error), err=True)
    sys.exit(code)
