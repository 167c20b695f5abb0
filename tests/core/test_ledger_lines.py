from __future__ import annotations

import csv
import hashlib
import io
import json

import pytest

from core.agent.requests import (
    Choice,
    CommandApproval,
    Decide,
    Question,
    QuestionPart,
    Reply,
    RequestKey,
    dump_answer,
    dump_request,
)
from core.ledger_lines import SECRET, Form, header, intact, line_of, shown_answer
from core.rows import LedgerEntry, OutcomeRow

KEY = RequestKey(generation="g", id=0)
YES = Choice(verb="accept", label="Accept", raw='"accept"')


def command(words: str) -> CommandApproval:
    return CommandApproval(
        key=KEY, thread_id="t", turn_id="u", item_id="i", command=words, cwd="/w", choices=(YES,)
    )


def entry(content: str, answer: str = "", by: str = "you", hashed: str | None = None) -> LedgerEntry:
    hashed = hashlib.sha256(content.encode()).hexdigest() if hashed is None else hashed
    return LedgerEntry(
        7, 1_700_000_000_000, "c", by, "command", content, hashed, answer, (OutcomeRow(1_000, "exit 0"),)
    )


def test_a_json_line_holds_the_request_the_answer_and_what_became_of_it() -> None:
    one = entry(dump_request(command("make")), dump_answer(Decide(choice=YES)))
    told = json.loads(line_of(one, Form.JSON_LINES))
    assert told["content"]["command"] == "make"
    assert told["answer"]["choice"]["verb"] == "accept"
    assert told["outcomes"] == [{"time": "1970-01-01T00:00:01.000+00:00", "outcome": "exit 0"}]
    assert (told["time"], told["intact"]) == ("2023-11-14T22:13:20.000+00:00", True)


def test_a_json_line_is_one_line_of_ascii_whatever_was_asked() -> None:
    line = line_of(entry(dump_request(command("a\nb\x1b]0;x\x07\u202e"))), Form.JSON_LINES)
    assert line.isascii()
    assert line.count("\n") == 1
    assert "\x1b" not in line


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", " =", "\n@", "＝"])
def test_no_cell_is_a_formula(start: str) -> None:
    text = header(Form.CSV) + line_of(entry("{}", by=f"{start}cmd|' /C calc'!A0"), Form.CSV)
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    assert row["decided_by"].startswith("'")


def test_a_cell_holds_no_control_that_a_terminal_would_carry_out() -> None:
    assert "\x1b" not in line_of(entry("\x1b[2J"), Form.CSV)


def test_what_was_changed_afterwards_is_not_intact() -> None:
    content = dump_request(command("make"))
    assert intact(entry(content))
    assert intact(entry(content.replace("make", "rm -rf"), hashed=entry(content).content_hash)) is False
    assert intact(entry(content, hashed="")) is None


def test_a_request_that_an_older_version_stored_with_fewer_fields_is_intact() -> None:
    request = command("make")
    stored = json.dumps({k: v for k, v in request.model_dump(mode="json").items() if k != "rights"})
    hashed = hashlib.sha256(dump_request(request).encode()).hexdigest()
    assert intact(entry(stored, hashed=hashed))


def test_a_secret_that_was_given_is_not_told() -> None:
    parts = (
        QuestionPart(id="name", header="", text="Who?"),
        QuestionPart(id="token", header="", text="Token?", secret=True),
    )
    asked = Question(key=KEY, thread_id="t", turn_id=None, item_id="i", parts=parts)
    answer = dump_answer(Reply(answers={"name": ("Ada",), "token": ("hunter2",)}))
    one = entry(dump_request(asked), answer)
    assert json.loads(shown_answer(one))["answers"] == {"name": ["Ada"], "token": [SECRET]}
    assert all("hunter2" not in line_of(one, form) for form in Form)
