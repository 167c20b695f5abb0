from __future__ import annotations

from datetime import datetime

import pytest

from core.access.ledger import EVERYTHING, Decided, Fate, LedgerFilter, Who, hint_of, parse_filter
from core.errors import InvalidRequest

NOW = 1_700_000_000_000


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", EVERYTHING),
        ("git push", LedgerFilter("git push")),
        (
            'who:rule "git push" is:declined',
            LedgerFilter('"git push"', who=Who.RULE, decided=Decided.DECLINED),
        ),
        ("outcome:failed kind:command by:3", LedgerFilter(fate=Fate.FAILED, kind="command", by="3")),
        ("in:c1 since:2h", LedgerFilter(conversation_id="c1", since_ms=NOW - 7_200_000)),
        ("who: make", LedgerFilter("make")),
        ("http://is:x", LedgerFilter("http://is:x")),
    ],
)
def test_terms_and_words_are_told_apart(text: str, found: LedgerFilter) -> None:
    assert parse_filter(text, NOW) == found


def test_a_date_is_one_here() -> None:
    day = int(datetime(2026, 1, 31).timestamp() * 1000)
    assert parse_filter("until:2026-01-31", NOW).until_ms == day


@pytest.mark.parametrize("text", ["who:me", "is:ok", "kind:shell", "outcome:x", "since:soon", "until:2h3"])
def test_a_value_that_there_is_not_is_said(text: str) -> None:
    with pytest.raises(InvalidRequest) as raised:
        parse_filter(text, NOW)
    assert raised.value.todo


def test_the_term_that_is_being_written_says_what_it_can_be() -> None:
    assert "rule" in hint_of("git who:")
    assert "died" in hint_of("outcome:d")
    assert "who:" in hint_of("outcome:died ")
    assert "who:" in hint_of("")
