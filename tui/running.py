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
HELP = {"help_option_names": ["-h", "--help"]}
T = TypeVar("T")


def run(
    work: Callable[[Settings], Coroutine[Any, Any, T]],
    codes: Iterable[tuple[type[QuarterdeckError], int]] = (),
) -> T:
    """Run it with the settings of the file; an error of ours is one sentence, and the exit code that `codes`
    gives it, else 1.
    """
    import asyncio

    from core.settings import config_path, load_settings

    try:
        return asyncio.run(work(load_settings(config_path())))
    except QuarterdeckError as error:
        fail(error, next((code for kind, code in codes if isinstance(error, kind)), 1))


def fail(error: QuarterdeckError, code: int) -> NoReturn:
    click.echo(str(error), err=True)
    sys.exit(code)
