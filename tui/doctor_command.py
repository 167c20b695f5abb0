"""`quarterdeck doctor`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tui.running import HELP, demo_option, run
from tui.transcript.safe import line

if TYPE_CHECKING:
    from core.doctor import Diagnosis
    from core.sessions.model import Progress

T = TypeVar("T")


@click.command(
    context_settings=HELP,
    epilog="Exit codes: 0 all is well, 1 something is not, or could not be done. Nothing is ever deleted by itself.",
)
@click.option("--repair", is_flag=True, help="Make a sound database of a damaged one.")
@click.option(
    "--from", "source", type=click.Path(path_type=Path), help="With --repair: a file that was moved aside."
)
@click.option("--rebuild-index", is_flag=True, help="Read every session again, for the list and its search.")
@click.option("--compact", is_flag=True, help="Give back the room that the database no longer needs.")
@click.option("--json", "as_json", is_flag=True, help="Everything that was found, as JSON.")
@demo_option
def doctor(repair: bool, source: Path | None, rebuild_index: bool, compact: bool, as_json: bool) -> None:
    """Say what is right and what is not: terminal, database, Codex, its sandbox and login, and every session."""
    from core import doctor as doing

    if repair:
        click.echo(run(lambda settings: _threaded(lambda: doing.mend(settings, source))))
    elif rebuild_index:
        click.echo(run(lambda settings: doing.rebuild_index(settings, _say)))
    elif compact:
        click.echo(run(lambda settings: _threaded(lambda: doing.compact_all(settings))))
    else:
        diagnosis = run(doing.look)
        _show_json(diagnosis) if as_json else _show(diagnosis)
        sys.exit(0 if diagnosis.ok else 1)


def _show(diagnosis: Diagnosis) -> None:
    from core.doctor import SHOWN_DIFFERENCES

    for finding in diagnosis.findings:
        first, *more = finding.text.split("\n")
        click.echo(f"{'ok ' if finding.ok else 'BAD'}  {finding.name}: {line(first)}")
        for text in more:
            click.echo(f"     {line(text)}")
    wrong = [one for one in diagnosis.differences if one.wrong]
    for one in wrong[:SHOWN_DIFFERENCES]:
        click.echo(f"     {line(one.rollout or one.thread_id)}: {line(one.why)}")
    if len(wrong) > SHOWN_DIFFERENCES:
        click.echo(f"     and {len(wrong) - SHOWN_DIFFERENCES} more: quarterdeck doctor --json")


def _show_json(diagnosis: Diagnosis) -> None:
    import json
    from dataclasses import asdict

    click.echo(json.dumps({"ok": diagnosis.ok, **asdict(diagnosis)}, indent=2))


def _say(progress: Progress) -> None:
    click.echo(f"{progress.phase}: {progress.done:,} of {progress.total:,}", err=True)


async def _threaded(work: Callable[[], T]) -> T:
    import asyncio

    return await asyncio.to_thread(work)
