"""The commands for rules: what is allowed, denied or asked without a person."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.errors import NotFound, QuarterdeckError
from tui.running import HELP, USAGE_ERROR, demo_option, fail, folder_option, run

if TYPE_CHECKING:
    from core.access.rules import Rule
    from core.rulebook import Rulebook
    from core.settings import Settings

_folder = folder_option("For this folder (default: here).")


@click.group(context_settings=HELP)
def rules() -> None:
    """What is allowed, denied or asked without you: in order, the first that matches counts."""


@rules.command("list")
@demo_option
def list_rules() -> None:
    """Every rule, in its order."""

    async def told(settings: Settings) -> list[str]:
        from time import time

        from tui.rules.words import in_a_line

        async with _opened(settings) as book:
            return [in_a_line(rule, time() * 1000) for rule in (await book.read()).rules]

    lines = run(told)
    click.echo(
        "\n".join(lines) or "There are no rules: you are asked about everything the profile does not decide."
    )


@rules.command("add")
@click.argument("verdict", type=click.Choice(["allow", "deny", "ask"]))
@click.argument("pattern")
@_folder
@click.option("--all", "everywhere", is_flag=True, help="For every folder.")
@demo_option
def add_rule(verdict: str, pattern: str, folder: Path, everywhere: bool) -> None:
    """A rule for commands: words as in a shell, * for any one word, and ... at the end for any more.

    For example: quarterdeck rules add allow "git status ..."
    """

    async def added(settings: Settings) -> str:
        from core.access.patterns import CommandPattern
        from core.access.policy import Verdict
        from core.access.rules import Reach, RuleDraft, Scope
        from core.workspaces import checked_folder

        reach = Reach.EVERYWHERE if everywhere else Reach.WORKSPACE
        scope = Scope(reach, "" if everywhere else str(checked_folder(folder)))
        draft = RuleDraft(verdict=Verdict(verdict), pattern=CommandPattern.parse(pattern), scope=scope)
        async with _opened(settings) as book:
            (number,) = await book.add((draft,))
        return f"Rule {number}: {draft}"

    click.echo(run(added))


@rules.command("revoke")
@click.argument("number", type=int)
@demo_option
def revoke_rule(number: int) -> None:
    """Take a rule out."""

    async def revoked(settings: Settings) -> str:
        async with _opened(settings) as book:
            await book.revoke(number, await book.revision())
        return f"Rule {number} is revoked."

    click.echo(run(revoked))


@rules.command("disable")
@click.argument("number", type=int)
@demo_option
def disable_rule(number: int) -> None:
    """Have a rule match nothing, until it is enabled."""
    click.echo(run(lambda settings: _switched(settings, number, enabled=False)))


@rules.command("enable")
@click.argument("number", type=int)
@demo_option
def enable_rule(number: int) -> None:
    """Have a disabled rule match again."""
    click.echo(run(lambda settings: _switched(settings, number, enabled=True)))


async def _switched(settings: Settings, number: int, *, enabled: bool) -> str:
    async with _opened(settings) as book:
        listed = await book.read()
        rule = _rule(listed.rules, number)
        if rule.enabled != enabled:
            await book.switch(rule, listed.revision)
    return f"Rule {number} is {'enabled' if enabled else 'disabled'}."


@rules.command("move")
@click.argument("number", type=int)
@click.argument("place", type=click.IntRange(min=1))
@demo_option
def move_rule(number: int, place: int) -> None:
    """Put a rule at PLACE of the order, counted from 1."""

    async def moved(settings: Settings) -> str:
        async with _opened(settings) as book:
            await book.move(number, await book.revision(), place - 1)
        return f"Rule {number} is at place {place}."

    click.echo(run(moved))


@rules.command("test")
@click.argument("command")
@_folder
@click.option("--profile", default="", help="As under this profile (default: that of new conversations).")
@demo_option
def test_rules(command: str, folder: Path, profile: str) -> None:
    """Say what would decide on COMMAND here, and why. Nothing is run."""

    async def tried(settings: Settings) -> str:
        from core.workspaces import checked_folder
        from tui.rules.words import decision_words

        async with _opened(settings) as book:
            return decision_words(await book.test(command, checked_folder(folder), profile))

    click.echo(run(tried))


@rules.command("export")
@click.argument("file", type=click.Path(path_type=Path), default=Path("-"))
@demo_option
def export_rules(file: Path) -> None:
    """Write the rules to FILE as TOML, to be edited and taken back (- or nothing: to the screen)."""

    async def text(settings: Settings) -> str:
        async with _opened(settings) as book:
            return await book.text()

    written = run(text)
    if file == Path("-"):
        click.echo(written, nl=False)
        return
    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(written)
    except FileExistsError:
        fail(QuarterdeckError(f"{file} is there already", todo="Name another file."), USAGE_ERROR)
    except OSError as error:
        fail(QuarterdeckError(f"{file} cannot be written", why=error.strerror or str(error)), USAGE_ERROR)
    click.echo(f"Wrote the rules to {file}.")


@rules.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@demo_option
def import_rules(file: Path) -> None:
    """Have the rules of FILE and no others, in its order. Where something in it is wrong, nothing is taken."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fail(QuarterdeckError(f"{file} cannot be read", why=str(error)), USAGE_ERROR)

    async def taken(settings: Settings) -> str:
        async with _opened(settings) as book:
            count = await book.take(text)
        return f"There are {count} rules now."

    click.echo(run(taken))


def _opened(settings: Settings) -> AbstractAsyncContextManager[Rulebook]:
    from core.keeping import opened_rules

    return opened_rules(settings)


def _rule(listed: tuple[Rule, ...], number: int) -> Rule:
    for rule in listed:
        if rule.id == number:
            return rule
    raise NotFound(f"There is no rule {number}")
