"""`quarterdeck sessions`: the browser from the shell, and with --json a list for scripts."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.errors import InvalidRequest, QuarterdeckError
from tui.launch import Launch, check_folder
from tui.running import HELP, USAGE_ERROR, demo_chosen, demo_option, fail, run

if TYPE_CHECKING:
    from core.engine import Engine
    from core.sessions.model import Progress, SessionMatch
    from core.settings import Settings

PAGE = 200
WAIT_SECONDS = 20.0
"""How long a list waits for the index to be complete."""


@click.command(
    context_settings=HELP,
    epilog="Filters: in:FOLDER is:archived|any|pinned|changed|running|… source: model: branch: tag: since:2w "
    "until: sort:recent|oldest|title|size.",
)
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="List what is found, a JSON object a line.")
@click.option("--limit", type=click.IntRange(min=1), help="With --json: at most so many.")
@click.option("--cd", "folder", type=click.Path(path_type=Path), default=Path(), help="Work in this folder.")
@demo_option
@click.pass_context
def sessions(
    context: click.Context, words: tuple[str, ...], as_json: bool, limit: int | None, folder: Path
) -> None:
    """Find every session on this machine. WORDS and filters are for --json; in the browser you type them."""
    if words and not as_json:
        click.echo("Words go with --json; in the browser you type them.", err=True)
        raise SystemExit(USAGE_ERROR)
    if as_json:
        run(lambda settings: _list(settings, " ".join(words), limit), asks_codex=True)
        return
    from tui.cli import run_console

    try:
        launch = Launch(check_folder(folder), demo=demo_chosen(context), over="sessions")
    except QuarterdeckError as error:
        fail(error, USAGE_ERROR)
    sys.exit(run_console(launch))


async def _list(settings: Settings, line: str, limit: int | None) -> None:
    from core.ending import to_its_end
    from core.engine import open_engine

    engine = await open_engine(settings)
    try:
        note = await _until_read(engine)
        async for match in found(engine, line, limit):
            click.echo(json.dumps(plain(match), ensure_ascii=False))
        if note:
            click.echo(note, err=True)
    finally:
        await to_its_end(engine.close())


async def found(engine: Engine, line: str, limit: int | None) -> AsyncIterator[SessionMatch]:
    """What the line asks for. Raises InvalidRequest for a filter that is none, StoreError."""
    from tui.sessions.filter_line import read

    asked = read(line, await engine.sessions.facets(), datetime.now().astimezone())
    if asked.problems:
        raise InvalidRequest(asked.problems[0])
    cursor: str | None = None
    left = limit if limit is not None else sys.maxsize
    while left > 0:
        page = await engine.sessions.search(asked.query, cursor, min(PAGE, left))
        for match in page.matches:
            yield match
        left -= len(page.matches)
        cursor = page.cursor
        if cursor is None:
            return


def plain(match: SessionMatch) -> dict[str, Any]:
    """As JSON has it: the session's own names, and the hits as text."""
    hits = [
        {
            "kind": hit.kind,
            "at_ms": hit.at_ms,
            "box_id": hit.box_id,
            "text": "".join(text for text, _ in hit.pieces),
        }
        for hit in match.hits
    ]
    return {**asdict(match.entry), "hits": hits}


async def _until_read(engine: Engine) -> str:
    """Wait for the index, unless another console keeps it; what to say where it is not complete."""
    from core.conversation.feed import FeedEvent, IndexProgress

    done = asyncio.Event()

    def hear(event: FeedEvent) -> None:
        if isinstance(event, IndexProgress) and settled(event.progress):
            done.set()

    stop = engine.feed.listen(hear)
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            if not settled(engine.sessions.progress):
                await done.wait()
    except TimeoutError:
        progress = engine.sessions.progress
        return f"Not all is read yet ({progress.done:,} of {progress.total:,}): there may be more. {progress.note}".rstrip()
    finally:
        stop()
    return engine.sessions.progress.note


def settled(progress: Progress) -> bool:
    """Whether waiting for the index helps no more: it is complete, or it says why it is not."""
    from core.sessions.model import IndexPhase

    waits = progress.phase is IndexPhase.WAITING and progress.note != ""
    return progress.phase is IndexPhase.READY or waits
