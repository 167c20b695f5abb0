"""The `quarterdeck` command. Imports what its answer needs and nothing else: the first paint waits for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from core.errors import QuarterdeckError
from tui.launch import Launch, check_folder

if TYPE_CHECKING:
    from core.settings import Settings

USAGE_ERROR = 2
_HELP = {"help_option_names": ["-h", "--help"]}


def main() -> None:
    """Where the installed command begins. `host` is a word of its own; any other is the first message."""
    if sys.argv[1:2] == ["host"]:
        host(args=sys.argv[2:], prog_name="quarterdeck host")
    console(prog_name="quarterdeck")


@click.command(
    context_settings=_HELP,
    epilog="See also: quarterdeck host status, quarterdeck host stop.",
)
@click.argument("message", nargs=-1)
@click.option("--cd", "folder", type=click.Path(path_type=Path), default=Path(), help="Work in this folder.")
@click.option("--continue", "latest", is_flag=True, help="Go on with this folder's last conversation.")
@click.option(
    "--demo", is_flag=True, help="The real Codex on a scripted model, offline and without an account."
)
@click.version_option(package_name="quarterdeck", message="quarterdeck %(version)s")
def console(message: tuple[str, ...], folder: Path, latest: bool, demo: bool) -> None:
    """A console for OpenAI Codex. MESSAGE is sent first.

    Quitting stops nothing: what runs at Codex goes on, and what it asks waits for you.
    """
    try:
        launch = Launch(check_folder(folder), " ".join(message), latest, demo)
    except QuarterdeckError as error:
        _fail(error, USAGE_ERROR)
    sys.exit(_run(launch))


def _run(launch: Launch) -> int:
    """The console until it ends; its exit code."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo("Quarterdeck needs a terminal.", err=True)
        return USAGE_ERROR
    from tui.app import QuarterdeckApp

    app = QuarterdeckApp(launch)
    left = app.run()
    if left:
        click.echo(left)
    return app.return_code or 0


@click.group(context_settings=_HELP)
def host() -> None:
    """The Codex process that your conversations live in."""


@host.command()
def status() -> None:
    """Say what the host does."""
    from core.hosting import host_status

    _say(host_status)


@host.command()
@click.option("--force", is_flag=True, help="Also while something runs or waits there.")
def stop(force: bool) -> None:
    """End the host."""
    from core.hosting import host_stop

    _say(lambda settings: host_stop(settings, force))


def _say(work: Callable[[Settings], Coroutine[Any, Any, str]]) -> None:
    import asyncio

    from core.settings import config_path, load_settings

    try:
        click.echo(asyncio.run(work(load_settings(config_path()))))
    except QuarterdeckError as error:
        _fail(error, 1)


def _fail(error: QuarterdeckError, code: int) -> NoReturn:
    click.echo(str(error), err=True)
    sys.exit(code)
