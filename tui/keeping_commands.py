"""The commands for what Codex is given to know: `knowledge`."""

from __future__ import annotations

from pathlib import Path

import click

from tui.running import HELP, demo_option, folder_option, run

_folder = folder_option("For this folder (default: here).")
_all = click.option("--all", "everywhere", is_flag=True, help="For every folder.")


@click.group(context_settings=HELP)
def knowledge() -> None:
    """Documents that go before what you say, or that Codex can look up."""


@knowledge.command("add")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--pin", is_flag=True, help="Put them before every message.")
@_folder
@_all
@demo_option
def add_knowledge(path: Path, pin: bool, folder: Path, everywhere: bool) -> None:
    """Take a Markdown file, or a folder of them; they are kept true to the files."""
    from core import keeping

    where = None if everywhere else folder
    click.echo(run(lambda settings: keeping.add_knowledge(settings, where, path, pin)))


@knowledge.command("list")
@_folder
@demo_option
def list_knowledge(folder: Path) -> None:
    """What is known here; * goes before every message."""
    from core import keeping

    click.echo(run(lambda settings: keeping.list_knowledge(settings, folder)))


@knowledge.command("search")
@click.argument("query")
@_folder
@demo_option
def search_knowledge(query: str, folder: Path) -> None:
    """Find words in what is known here."""
    from core import keeping

    click.echo(run(lambda settings: keeping.search_knowledge(settings, folder, query)))


@knowledge.command("drop")
@click.argument("name")
@_folder
@_all
@demo_option
def drop_knowledge(name: str, folder: Path, everywhere: bool) -> None:
    """Forget a document."""
    from core import keeping

    where = None if everywhere else folder
    click.echo(run(lambda settings: keeping.drop_knowledge(settings, where, name)))
