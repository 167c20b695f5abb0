"""The commands for what is and was decided: `ledger` and `approvals`."""

from __future__ import annotations

import json
import sys
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import click

from core.errors import (
    CodexError,
    Conflict,
    InvalidRequest,
    NotFound,
    QuarterdeckError,
    Unsupported,
)
from tui.running import HELP, demo_option, fail, run

if TYPE_CHECKING:
    from core.access.ledger import LedgerFilter
    from core.agent.requests import Answer
    from core.approvals import Became, Waiting
    from core.rows import LedgerSummary
    from core.settings import Settings
    from tui.prompts.lines import Judged

TABLE_ROWS = 50
"""How many decisions are listed for a person unless they say how many."""


class Exit(IntEnum):
    """Exit codes of `quarterdeck approvals accept` and `decline`."""

    DELIVERED = 0
    NOTHING_DECIDED = 1
    BAD_REQUEST = 2
    WAITS_NO_MORE = 3
    NO_CODEX = 5
    NOT_CONFIRMED = 6


@click.command(
    context_settings=HELP,
    epilog="Times are 30m, 2h, 7d, 2w ago, or dates like 2026-01-31. The newest come first.",
)
@click.option("--json", "as_json", is_flag=True, help="A JSON object a line, everything in it.")
@click.option("--csv", "as_csv", is_flag=True, help="A table for spreadsheets, everything in it.")
@click.option("--search", "words", default="", help='Words of what was asked; "a phrase" in quotation marks.')
@click.option("--since", help="From this time on.")
@click.option("--until", help="Before this time.")
@click.option("--conversation", help="Only of the conversation with this id.")
@click.option("--kind", help="command, file_change, permissions, question, mcp_form, mcp_link, tool.")
@click.option("--who", help="person, rule, profile or nobody.")
@click.option("--is", "decided", help="accepted, declined, answered or undecided.")
@click.option("--outcome", help="worked, failed, delivered, late, died, withdrawn or open.")
@click.option(
    "--limit", type=click.IntRange(min=1), help=f"At most so many (default: {TABLE_ROWS}; JSON and CSV all)."
)
@demo_option
def ledger(as_json: bool, as_csv: bool, words: str, limit: int | None, **terms: str | None) -> None:
    """Every decision: who or what decided on what, how, and what became of it."""
    from time import time

    from core.access.ledger import parse_filter

    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two forms: choose one.")
    names = {"conversation": "in", "decided": "is"}
    written = [f"{names.get(name, name)}:{value}" for name, value in terms.items() if value]
    try:
        where = parse_filter(" ".join((*written, words)), int(time() * 1000))
    except InvalidRequest as error:
        fail(error, Exit.BAD_REQUEST)
    form = "csv" if as_csv else "jsonl"
    if as_json or as_csv:
        run(lambda settings: _write(settings, where, form, limit))
    else:
        run(lambda settings: _list(settings, where, limit or TABLE_ROWS))


async def _write(settings: Settings, where: LedgerFilter, form: str, limit: int | None) -> None:
    from core.keeping import opened_ledger
    from core.ledger_lines import Form

    async with opened_ledger(settings) as decided:
        async for line in decided.lines(where, Form(form), limit):
            click.echo(line, nl=False)


async def _list(settings: Settings, where: LedgerFilter, limit: int) -> None:
    from core.access.ledger import EVERYTHING
    from core.keeping import opened_ledger

    async with opened_ledger(settings) as decided:
        count = await decided.count(where)
        found = await decided.summaries(where, count.newest, 0, limit)
    for summary in found:
        click.echo(_row(summary))
    if not found:
        click.echo("Nothing was decided yet." if where == EVERYTHING else "No decision is like that.")
    elif count.count > len(found):
        click.echo(f"… {count.count - len(found):,} more: --limit shows them.", err=True)


def _row(summary: LedgerSummary) -> str:
    from tui.ledger.details import fate_words
    from tui.transcript import safe
    from tui.widgets.moments import to_the_second

    fate = fate_words(summary.fate, summary.outcomes) or summary.fate
    by = safe.line(summary.decided_by, 60)
    what = safe.line(summary.headline, 200) or summary.kind
    return f"{summary.id:>6}  {to_the_second(summary.at_ms)}  {summary.decided:<9}  {fate:<9}  {by}: {what}"


@click.group(context_settings=HELP)
def approvals() -> None:
    """What waits for you, decided on from any terminal of this machine."""


_json = click.option("--json", "as_json", is_flag=True, help="As JSON.")
_hash = click.option(
    "--hash", "given", help="The hash of what you saw (`show` prints it): decides without asking."
)
_message = click.option("--message", default="", help="Say this to Codex too.")
_EXITS = (
    "Exit codes: 0 decided and delivered, 1 nothing was decided, 2 a request that cannot be, 3 it waits no "
    "more or changed, 5 no Codex, 6 decided and recorded, and not confirmed yet."
)


@approvals.command("list")
@_json
@demo_option
def list_waiting(as_json: bool) -> None:
    """What waits, the oldest first."""
    from core import approvals as core

    found = run(core.waiting)
    if as_json:
        click.echo(json.dumps([_fields(one) for one in found], indent=2))
        return
    for one in found:
        click.echo(_line(one))
    if not found:
        click.echo("Nothing waits for you.")


@approvals.command("show")
@click.argument("number", type=int)
@_json
@demo_option
def show(number: int, as_json: bool) -> None:
    """Exactly what is asked, with its hash."""
    from core import approvals as core

    one = run(lambda settings: core.one_waiting(settings, number))
    click.echo(json.dumps(_fields(one), indent=2) if as_json else _whole(one))


@approvals.command("accept", epilog=_EXITS)
@click.argument("number", type=int)
@_hash
@_message
@_json
@demo_option
def accept(number: int, given: str | None, message: str, as_json: bool) -> None:
    """Let it happen, once. Without --hash it is shown, and you are asked."""
    _decide(number, given, message, accepts=True, as_json=as_json)


@approvals.command("decline", epilog=_EXITS)
@click.argument("number", type=int)
@_hash
@_message
@_json
@demo_option
def decline(number: int, given: str | None, message: str, as_json: bool) -> None:
    """Do not let it happen; the turn goes on. Without --hash it is shown, and you are asked."""
    _decide(number, given, message, accepts=False, as_json=as_json)


def _decide(number: int, given: str | None, message: str, *, accepts: bool, as_json: bool) -> None:
    from core import approvals as core

    make = core.acceptance if accepts else core.refused

    async def read(settings: Settings) -> tuple[Waiting, Answer]:
        one = await core.one_waiting(settings, number)
        answer = make(one.request, message)
        if given is None:
            _check_somebody_is_here()
            _check_whole(one, accepts=accepts)
        else:
            core.check_hash(one, given)
        return one, answer

    one, answer = run(read, _CODES)
    if given is None:
        # Between two runs: while it waits for a key, a loop would not hear of a signal.
        _ask(one, accepts=accepts)
    became = run(
        lambda settings: core.decide(settings, number, answer, one.shown_hash), _CODES, asks_codex=True
    )
    _say_end(number, became, as_json)


def _check_somebody_is_here() -> None:
    if not sys.stdin.isatty():
        raise InvalidRequest(
            "Nobody is here to ask",
            why="there is no terminal",
            todo="Give --hash with the hash of what was seen; `quarterdeck approvals show` prints it.",
        )


def _check_whole(one: Waiting, *, accepts: bool) -> None:
    if accepts and (lacks := _judged(one).lacks):
        raise Unsupported(
            f"Request {one.id} cannot be accepted here",
            why=lacks,
            todo="Read `quarterdeck approvals show ID --json` and give --hash, or decline it.",
        )


def _ask(one: Waiting, *, accepts: bool) -> None:
    """Show it and ask, as a prompt does; ends the command unless the person says yes, twice where it is to be."""
    from tui.prompts.words import doubt_of

    click.echo(_whole(one))
    questions = ["Accept it?" if accepts else "Decline it?"]
    if accepts and (doubt := doubt_of(one.cautions, odd=_judged(one).odd)):
        questions.append(f"{doubt}. Do you mean it?")
    for question in questions:
        if not click.confirm(question, default=False):
            click.echo("Nothing was decided.", err=True)
            sys.exit(Exit.NOTHING_DECIDED)


def _say_end(number: int, became: Became, as_json: bool) -> None:
    state = became.state.value
    if as_json:
        told = {"id": number, "state": state, "decided_by": became.decided_by, "outcome": became.outcome}
        click.echo(json.dumps(told))
    elif state == "delivered":
        click.echo(f"Request {number} is decided, and Codex has it.")
    elif state in ("withdrawn", "died"):
        click.echo(f"Request {number} waits no more: {became.outcome}", err=True)
    else:
        click.echo(f"Request {number}: the decision is recorded; it is sent when Codex asks again.", err=True)
    sys.exit(_ENDS.get(state, Exit.NOT_CONFIRMED))


_ENDS = {"delivered": Exit.DELIVERED, "withdrawn": Exit.WAITS_NO_MORE, "died": Exit.WAITS_NO_MORE}
_CODES: tuple[tuple[type[QuarterdeckError], int], ...] = (
    (InvalidRequest, Exit.BAD_REQUEST),
    (Unsupported, Exit.BAD_REQUEST),
    (NotFound, Exit.WAITS_NO_MORE),
    (Conflict, Exit.WAITS_NO_MORE),
    (CodexError, Exit.NO_CODEX),
)


def _fields(one: Waiting) -> dict[str, Any]:
    return {
        "id": one.id,
        "conversation": one.conversation_id,
        "title": one.title,
        "kind": one.request.kind,
        "raised_at_ms": one.raised_at_ms,
        "hash": one.shown_hash,
        "sandbox": one.sandbox,
        "cautions": list(one.cautions),
        "request": json.loads(one.request.model_dump_json()),
    }


def _line(one: Waiting) -> str:
    from core.conversation.refusal import subject
    from tui.transcript import safe

    where = safe.line(one.title, 40) or "another program's thread"
    return f"{one.id:>5}  {safe.line(subject(one.request), 120)}  ({where})"


def _judged(one: Waiting) -> Judged:
    """What a prompt would show of it."""
    from tui.ledger.details import request_lines
    from tui.prompts.lines import Line, judged, lacking, of_cautions
    from tui.transcript import safe

    where = safe.line(one.title) or "another program's thread"
    return judged(
        (
            Line(where, "muted", "conversation "),
            *of_cautions(one.cautions),
            *request_lines(one.request, one.sandbox),
        ),
        lacks=lacking(one.request),
    )


def _whole(one: Waiting) -> str:
    """All of it, harmless, with its hash; where it is not all there, without: a hash says what was seen."""
    shown = _judged(one)
    text = "\n".join(f"{line.margin}{line.text}" for line in shown.lines)
    return f"{text}\nhash {one.shown_hash}" if shown.complete else text
