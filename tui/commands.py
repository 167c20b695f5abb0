"""The commands that open no screen: `host`, `exec`, `doctor`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from core.errors import QuarterdeckError
from tui.export_commands import export, take
from tui.keeping_commands import knowledge, rules
from tui.launch import check_folder
from tui.running import HELP, USAGE_ERROR, fail, run

if TYPE_CHECKING:
    from core.headless import Exit, Order
    from core.settings import Settings

T = TypeVar("T")


@click.group(context_settings=HELP)
def host() -> None:
    """The Codex process that your conversations live in."""


@host.command()
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


@click.command(
    "exec",
    context_settings=HELP,
    epilog="Exit codes: 0 answered, 1 the turn failed, 2 a request that cannot be, 3 out of time, "
    "4 the answer has another shape, 5 no Codex, 6 the profile does not allow it.",
)
@click.argument("prompt")
@click.option("--cd", "folder", type=click.Path(path_type=Path), default=Path(), help="Work in this folder.")
@click.option("--json", "as_json", is_flag=True, help="Every event as a JSON object a line.")
@click.option("--schema", type=click.Path(path_type=Path), help="A file with the JSON Schema of the answer.")
@click.option("--profile", help="What the run may do: observer, operator, autopilot, or one of your own.")
@click.option("--model", help="The model to ask.")
@click.option("--timeout", "seconds", type=click.FloatRange(min=0.001), help="Seconds for everything.")
@click.option("--demo", is_flag=True, help="Ask the scripted model of the demo.")
def execute(
    prompt: str,
    folder: Path,
    as_json: bool,
    schema: Path | None,
    profile: str | None,
    model: str | None,
    seconds: float | None,
    demo: bool,
) -> None:
    """Ask PROMPT without a screen; the answer goes to stdout. What a person would be asked is denied."""
    from core.headless import Order

    try:
        text = schema.read_text(encoding="utf-8") if schema is not None else None
    except (OSError, UnicodeDecodeError) as error:
        fail(QuarterdeckError(f"{schema} cannot be read", why=str(error)), USAGE_ERROR)
    try:
        order = Order(prompt, check_folder(folder), as_json, text, model, seconds)
    except QuarterdeckError as error:
        fail(error, USAGE_ERROR)
    sys.exit(run(lambda settings: _execute(settings, order, profile, demo)))


async def _execute(settings: Settings, order: Order, profile: str | None, demo: bool) -> Exit:
    from core.headless import execute as ask

    if profile is not None:
        defaults = settings.defaults.model_copy(update={"profile": profile})
        settings = settings.model_copy(update={"defaults": defaults})
    say, complain = click.echo, lambda line: click.echo(line, err=True)
    if not demo:
        return await ask(settings, order, say, complain)
    from core.demo.scratch import temporary_scratch

    async with temporary_scratch(record=False) as scratch:
        home = settings.host.model_copy(update={"codex_home": scratch.home, "mode": "stdio"})
        settings = settings.model_copy(update={"host": home, "data_dir": scratch.folder / "data"})
        return await ask(settings, order, say, complain)


@click.command(context_settings=HELP)
@click.option("--repair", is_flag=True, help="Make a sound database of a damaged one.")
@click.option(
    "--from", "source", type=click.Path(path_type=Path), help="With --repair: a file that was moved aside."
)
@click.option("--json", "as_json", is_flag=True, help="The findings as JSON.")
def doctor(repair: bool, source: Path | None, as_json: bool) -> None:
    """Say what is right with the database and Codex, and what is not."""
    import json
    from dataclasses import asdict

    from core.doctor import look, mend

    if repair:
        click.echo(run(lambda settings: _threaded(lambda: mend(settings, source))))
        return
    findings = run(look)
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        for finding in findings:
            click.echo(f"{'ok ' if finding.ok else 'BAD'}  {finding.name}: {finding.text}")
    sys.exit(0 if all(finding.ok for finding in findings) else 1)


async def _threaded(work: Callable[[], T]) -> T:
    import asyncio

    return await asyncio.to_thread(work)


WORDS: dict[str, click.Command] = {
    "host": host,
    "exec": execute,
    "doctor": doctor,
    "knowledge": knowledge,
    "rules": rules,
    "export": export,
    "import": take,
}
"""First words of the command line that are commands; any other is the first message."""
