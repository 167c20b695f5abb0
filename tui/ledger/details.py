"""A decision in words: as a row of the list, and whole. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator

from core.access.ledger import Decided, Fate
from core.agent.requests import (
    CommandApproval,
    Decide,
    Elicited,
    FileApproval,
    Grant,
    McpForm,
    McpLink,
    OtherRequest,
    PermissionsApproval,
    Question,
    Reply,
    Request,
    ToolRequest,
    load_answer,
)
from core.ledger_lines import intact, request_of, shown_answer
from core.rows import LedgerEntry, LedgerSummary, OutcomeRow
from tui.prompts import lines
from tui.prompts.lines import Judged, Line, judged
from tui.prompts.words import inner_command
from tui.transcript import safe
from tui.widgets.lazy_list import Piece, fitted
from tui.widgets.moments import clock, in_brief, to_the_second

_MARKS = {
    Decided.ACCEPTED: ("✓", "good"),
    Decided.DECLINED: ("✗", "bad"),
    Decided.ANSWERED: ("=", "text"),
    Decided.UNDECIDED: ("·", "muted"),
}
_FATES = {Fate.WORKED: "good", Fate.FAILED: "bad", Fate.DIED: "odd", Fate.LATE: "odd"}
_TIME, _FATE, _BY_AT_LEAST = 12, 10, 10
_ROOMY = 100
"""Cells from which on a row has room for more than the beginning of a name."""


def row_of(summary: LedgerSummary, width: int) -> list[Piece]:
    """When, what was decided, by whom, on what, and what became of it, in one line."""
    mark, look = _MARKS[Decided(summary.decided)]
    by = _BY_AT_LEAST if width < _ROOMY else _BY_AT_LEAST + (width - _ROOMY) // 3 + 6
    what = width - _TIME - by - _FATE - 5
    headline = safe.line(inner_command(summary.headline), 300) or summary.kind.replace("_", " ")
    return [
        (fitted(in_brief(summary.at_ms), _TIME) + " ", "muted"),
        (f"{mark} ", look),
        (fitted(safe.line(summary.decided_by, 200), by) + " ", "muted"),
        (fitted(headline, max(what, 1)) + " ", "text"),
        (fitted(fate_words(summary.fate, summary.outcomes), _FATE), _FATES.get(Fate(summary.fate), "muted")),
    ]


def fate_words(fate: str, outcomes: tuple[OutcomeRow, ...]) -> str:
    """The exit code where there is one, else the fate."""
    exits = [one.outcome for one in outcomes if one.outcome.startswith("exit ")]
    if exits:
        return safe.line(exits[-1], 20)
    if fate in (Fate.WORKED, Fate.FAILED):
        return safe.line(outcomes[-1].outcome, 20) if fate == Fate.FAILED else "applied"
    return "" if fate == Fate.OPEN else fate


def entry_lines(entry: LedgerEntry, conversation: str) -> Judged:
    """All there is to know of a decision; `conversation` is the title, "" for none of ours."""
    return judged(_lines(entry, conversation))


def _lines(entry: LedgerEntry, conversation: str) -> Iterator[Line]:
    yield Line(f"{answer_words(entry)} · by {entry.decided_by}", "label", "")
    yield Line(f"{to_the_second(entry.at_ms)} · number {entry.id}", "muted", "")
    yield Line(conversation or nowhere(entry), "muted", "in ")
    became = "; ".join(f"{one.outcome} ({clock(one.at_ms)})" for one in entry.outcomes)
    yield Line(became or "nothing is known of it yet", "text", "then ")
    yield from _hash_lines(entry)
    yield Line("")
    request = request_of(entry)
    if entry.kind == "rule":
        yield from _rule_lines(entry.content)
    elif request is None:
        yield Line(entry.content, "code")
    else:
        yield from request_lines(request)
    if isinstance(request, Question | McpForm) and entry.answer:
        yield Line(shown_answer(entry), "muted", "answer ")


def nowhere(entry: LedgerEntry) -> str:
    """Of what is in no conversation of ours."""
    asked = request_of(entry)
    return (
        "another program's thread"
        if asked is None or asked.thread_id
        else "a folder that had no conversation yet"
    )


def _hash_lines(entry: LedgerEntry) -> Iterator[Line]:
    match intact(entry):
        case None:
            yield Line("Nobody decided, so no hash was taken of what was asked.", "muted")
        case True:
            yield Line(f"{entry.content_hash} · as it was decided on", "muted", "hash ")
        case False:
            yield Line(entry.content_hash, "muted", "hash ")
            yield Line("What stands here is NOT what was decided on: it was changed.", "warning", "! ")


def _rule_lines(content: str) -> Iterator[Line]:
    """What was done to which rule."""
    try:
        told = json.loads(content)
        rule = f"Rule {told['number']}: {told['rule']}"
        where = told["where"]
    except (ValueError, LookupError, TypeError):
        yield Line(content, "code")
        return
    yield Line(rule, "code")
    yield Line(where, "muted", "holds ")


def request_lines(request: Request, sandbox: str = "") -> Iterator[Line]:
    """What was asked, whole, as its prompt showed it. `sandbox`: the one that a command would leave."""
    match request:
        case CommandApproval():
            yield from lines.of_command(request, sandbox)
        case FileApproval():
            yield from lines.of_files(request)
        case PermissionsApproval():
            yield from lines.of_permissions(request)
            for right in request.rights:
                yield Line(right.label, "code", "right ")
        case Question():
            for part in request.parts:
                yield Line(part.text, "text", "? ")
                for option in part.options:
                    yield Line(option.label, "muted", "  – ")
        case McpForm():
            yield from lines.of_form(request)
            yield Line(request.form_json, "code")
        case McpLink():
            yield from lines.of_link(request)
        case OtherRequest() | ToolRequest():
            yield from lines.of_other(request)


def answer_words(entry: LedgerEntry) -> str:
    """What was decided, in a word or two."""
    if not entry.answer:
        return "Undecided"
    try:
        answer = load_answer(entry.answer)
    except ValueError:
        return _own_answer(entry.answer)
    match answer:
        case Decide(choice=choice):
            return choice.label
        case Grant(rights=()):
            return "No right granted"
        case Grant(rights=rights, scope=scope):
            return f"Granted for the {scope}: {', '.join(right.label for right in rights)}"
        case Reply():
            return "Answered"
        case Elicited(action=action):
            return {"accept": "Accepted", "decline": "Declined", "cancel": "Cancelled"}[action]
        case _:
            return "Answered"


def _own_answer(answer: str) -> str:
    """Of what is no request of Codex's: a call of a tool, a change of the rules, a command of a person's own."""
    match json.loads(answer):
        case {"kind": "rule", "did": str(did)}:
            return f"A rule was {did}"
        case {"kind": "ran", "sandbox": str(sandbox)}:
            return f"Run by hand, in the sandbox {sandbox}" if sandbox else "Run by hand"
        case {"allowed": bool(allowed)}:
            return "Allowed" if allowed else "Denied"
        case _:
            return "Decided"
