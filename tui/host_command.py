"""`quarterdeck host`: what the process that the conversations live in does, and its end."""

from __future__ import annotations

import click

from tui.running import HELP, demo_option, run


@click.group(context_settings=HELP)
def host() -> None:
    """The Codex process that your conversations live in."""


@host.command()
@demo_option
def status() -> None:
    """Say what the host does."""
    from core.hosting import host_status

    click.echo(run(host_status))


@host.command()
@click.option("--force", is_flag=True, help="Also while something runs or waits there.")
def stop(force: bool) -> None:
    """End the host."""
    from core.hosting import host_stop

    click.echo(run(lambda settings: host_stop(settings, force)))
