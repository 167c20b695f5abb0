"""The `quarterdeck` command. Imports what its answer needs and nothing else: the first paint waits for it."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.errors import QuarterdeckError
from tui.commands import WORDS, command
from tui.launch import Launch, check_folder
from tui.running import HELP, USAGE_ERROR, fail

if TYPE_CHECKING:
    from tui.app import QuarterdeckApp

FRAMES = "TEXTUAL_FPS"
FRAMES_A_SECOND = "120"


def main() -> None:
    """Where the installed command begins. Some first words are commands; any other is the first message."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    if word in WORDS:
        command(word)(args=sys.argv[2:], prog_name=f"quarterdeck {word}")
    console(prog_name="quarterdeck")


@click.command(
    context_settings=HELP,
    epilog="Other commands, each with --help: quarterdeck exec, sessions, approvals, ledger, rules, knowledge, export, import, "
    "doctor, host.",
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
        fail(error, USAGE_ERROR)
    sys.exit(run_console(launch))


def run_console(launch: Launch) -> int:
    """The console until it ends; its exit code."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo("Quarterdeck needs a terminal.", err=True)
        return USAGE_ERROR
    # Nothing of what is loaded up to the first paint is garbage; `EngineScreen` has the collector look again.
    gc.disable()
    app = _application()(launch)
    left = app.run()
    if left:
        click.echo(left)
    return app.return_code or 0


def _application() -> type[QuarterdeckApp]:
    """Textual reads how often it may draw when it is imported; what runs in the console is not told.

    At its own 60 a second a key waits for as long as the frame before it: 20 ms where text streams.
    """
    ours = FRAMES not in os.environ
    if ours:
        os.environ[FRAMES] = FRAMES_A_SECOND
    from tui.app import QuarterdeckApp

    if ours:
        del os.environ[FRAMES]
    return QuarterdeckApp
