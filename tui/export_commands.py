"""The commands `export` and `import`."""

from __future__ import annotations

from pathlib import Path

import click

from tui.running import HELP, USAGE_ERROR, demo_option, folder_option, run
from tui.transcript import safe


@click.command(context_settings=HELP)
@click.argument("conversation", required=False, metavar="[ID]")
@click.option("--last", is_flag=True, help="The conversation of this folder that was used last.")
@folder_option("With --last: its folder.")
@click.option(
    "--format", "kind", type=click.Choice(["md", "html", "jsonl"]), help="Default: by --output, else md."
)
@click.option("--output", "-o", help="The file; - for standard output. Default: named after its title.")
@click.option("--secrets", is_flag=True, help="With keys, tokens and passwords as they were, not covered.")
@click.option("--force", is_flag=True, help="Over a file that is there already.")
@demo_option
def export(
    conversation: str | None,
    last: bool,
    folder: Path,
    kind: str | None,
    output: str | None,
    secrets: bool,
    force: bool,
) -> None:
    """Write a conversation, with its sub-agents, to a file: to read, or (jsonl) to import elsewhere.

    ID is a conversation's or a thread's id, or the beginning of one.
    """
    from core.export.command import ExportOrder
    from core.export.command import export as write
    from core.export.parts import Format

    if (conversation is None) != last:
        click.echo("Name one conversation, or say --last.", err=True)
        raise SystemExit(USAGE_ERROR)
    ending = Path(output).suffix.lstrip(".").lower() if output not in (None, "-") and output else ""
    endings = {one.value for one in Format}
    chosen = Format(kind or (ending if ending in endings else Format.MARKDOWN.value))
    order = ExportOrder(conversation, folder, chosen, output, secrets, force)
    for line in run(lambda settings: write(settings, order), asks_codex=True):
        click.echo(line, err=True)


@click.command("import", context_settings=HELP)
@click.argument("file", type=click.Path(path_type=Path))
@demo_option
def take(file: Path) -> None:
    """Take in a conversation that was exported as jsonl (- reads standard input). It is read-only here."""
    from core.export.command import take as read

    taken = run(lambda settings: read(settings, file))
    title = safe.line(taken.title, 200) or "a conversation without a title"
    if taken.again:
        click.echo(f"It is here already: {title} ({taken.conversation_id}).")
        return
    below = f" and {taken.sub_agents} of its sub-agents" if taken.sub_agents else ""
    covered = " Its secrets were covered." if taken.masked else ""
    click.echo(
        f"Imported {title}{below}: {taken.conversation_id}.{covered} It can be read, not gone on with."
    )
