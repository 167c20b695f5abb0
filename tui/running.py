"""Running a command that opens no screen: its settings, its errors, its exit code."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from click.core import ParameterSource

from core.errors import QuarterdeckError

if TYPE_CHECKING:
    from core.settings import Settings

USAGE_ERROR = 2
SIGNALLED = 128
"""The exit code is this and the number of the signal, as shells have it."""

HELP = {"help_option_names": ["-h", "--help"]}
F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
_DEMO = "tui.running.demo"


def _note_demo(context: click.Context, _: click.Parameter, chosen: bool) -> None:
    context.meta[_DEMO] = chosen


demo_option = click.option(
    "--demo",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_note_demo,
    help="Of what the demo keeps.",
)
"""For a command that calls `run`: this gives it the demo's settings then."""


def folder_option(about: str) -> Callable[[F], F]:
    """`--cd`, as `folder`: the current one by default, with `demo_option` the demo's."""

    def chosen(context: click.Context, parameter: click.Parameter, folder: Path) -> Path:
        if not demo_chosen(context) or context.get_parameter_source("folder") is not ParameterSource.DEFAULT:
            return folder
        from core.demo.place import project

        return project()

    return click.option(
        "--cd", "folder", type=click.Path(path_type=Path), default=Path(), callback=chosen, help=about
    )


def demo_chosen(context: click.Context) -> bool:
    """Whether `demo_option` was given."""
    return bool(context.meta.get(_DEMO))


def run(
    work: Callable[[Settings], Coroutine[Any, Any, T]],
    codes: Iterable[tuple[type[QuarterdeckError], int]] = (),
    *,
    asks_codex: bool = False,
) -> T:
    """Run it with the settings of the file; an error of ours is one sentence, and the exit code that `codes`
    gives it, else 1. A signal to end has it let go of everything first; a second one ends it at once.

    `asks_codex`: with `demo_option`, that the demo's model has to be there.
    """
    import asyncio

    told: list[int] = []

    async def heeding() -> T:
        _heed_signals(told)
        async with _settings(asks_codex) as settings:
            return await work(settings)

    try:
        return asyncio.run(heeding())
    except asyncio.CancelledError:
        sys.exit(SIGNALLED + told[0])
    except BrokenPipeError:
        _end_unheard()
    except QuarterdeckError as error:
        fail(error, next((code for kind, code in codes if isinstance(error, kind)), 1))


@asynccontextmanager
async def _settings(asks_codex: bool) -> AsyncGenerator[Settings]:
    """Those of the file, or the demo's where the command line says so."""
    from core.settings import config_path, load_settings

    settings = load_settings(config_path())
    context = click.get_current_context(silent=True)
    if context is None or not demo_chosen(context):
        yield settings
        return
    from core.demo import place

    if asks_codex:
        async with place.visited(settings) as visited:
            yield visited
    else:
        yield place.kept(settings)


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


def _end_unheard() -> NoReturn:
    """Whoever read what is said reads no more (`| head`): end as a program that SIGPIPE ends, without a word."""
    import os
    import signal

    # What is still to be written would be told of as lost when the interpreter ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(SIGNALLED + signal.SIGPIPE)


def fail(error: QuarterdeckError, code: int) -> NoReturn:
    click.echo(str(error), err=True)
    sys.exit(code)
