"""`quarterdeck exec`: a question answered without a screen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.errors import QuarterdeckError
from tui.launch import check_folder
from tui.running import HELP, USAGE_ERROR, fail, run

if TYPE_CHECKING:
    from core.headless import Exit, Order
    from core.settings import Settings


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
