"""What is typed becomes a query."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sessions.model import Facet, Facets, SessionQuery, SessionState, Sort
from tui.sessions.filter_line import NAMES, Asked, completion, read, with_filter

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
FACETS = Facets(
    folders=(Facet("/home/dev/harbour", 9), Facet("/home/dev/my lights", 3), Facet("/srv/harbour-old", 1)),
    models=(Facet("gpt-9-codex", 5), Facet("gpt-9", 2)),
    branches=(Facet("main", 3), Facet("feature/gate", 1)),
    sources=(Facet("cli", 9),),
    tags=(Facet("urgent", 2),),
)


def asked(line: str) -> Asked:
    return read(line, FACETS, NOW)


def query(line: str) -> SessionQuery:
    found = asked(line)
    assert found.problems == ()
    return found.query


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", SessionQuery()),
        ("open the gate", SessionQuery("open the gate")),
        ('"open the" ga*', SessionQuery('"open the" ga*')),
        ("gate in:harbour", SessionQuery("gate", folder="/home/dev/harbour")),
        ('in:"my lights" gate', SessionQuery("gate", folder="/home/dev/my lights")),
        ("in:harbour-old", SessionQuery(folder="/srv/harbour-old")),
        ("in:/srv", SessionQuery(folder="/srv/harbour-old")),
        ("in:nowhere", SessionQuery(folder="nowhere")),
        ("is:archived", SessionQuery(archived=True)),
        ("is:any", SessionQuery(archived=None)),
        ("is:needs-you is:pinned", SessionQuery(state=SessionState.NEEDS_YOU, pinned=True)),
        ("is:changed", SessionQuery(has_changes=True)),
        ("model:gpt-9", SessionQuery(model="gpt-9")),
        ("model:codex branch:gate", SessionQuery(model="gpt-9-codex", branch="feature/gate")),
        ("tag:urg source:cli", SessionQuery(tag="urgent", source="cli")),
        ("sort:size", SessionQuery(sort=Sort.SIZE)),
        ("http://host:8080 foo:bar", SessionQuery("http://host:8080 foo:bar")),
        ("in: model: x", SessionQuery("x")),
    ],
)
def test_words_and_filters(line: str, wanted: SessionQuery) -> None:
    assert query(line) == wanted


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ("2d", datetime(2026, 3, 8, 12, tzinfo=UTC)),
        ("3h", datetime(2026, 3, 10, 9, tzinfo=UTC)),
        ("1w", datetime(2026, 3, 3, 12, tzinfo=UTC)),
        ("today", datetime(2026, 3, 10, tzinfo=UTC)),
        ("yesterday", datetime(2026, 3, 9, tzinfo=UTC)),
        ("2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
    ],
)
def test_times(value: str, at: datetime) -> None:
    assert query(f"since:{value}").since_ms == at.timestamp() * 1000
    assert query(f"until:{value}").until_ms == at.timestamp() * 1000


@pytest.mark.parametrize("line", ["is:open", "sort:colour", "since:soon", "until:2026-13-40", "since:99999y"])
def test_a_filter_that_is_not_understood_is_said_and_filters_nothing(line: str) -> None:
    found = asked(f"gate {line}")
    assert found.query == SessionQuery("gate")
    assert line in found.problems[0]


def test_a_filter_that_is_still_being_typed_is_no_mistake() -> None:
    assert asked("gate is:arch").problems == ()
    assert asked("is:arch gate").problems != ()


@given(st.text())
def test_no_line_fails(line: str) -> None:
    found = read(line, FACETS, NOW)
    completion(line, FACETS)
    assert found.query.text == " ".join(found.query.text.split()) or '"' in line


@given(
    st.lists(st.sampled_from(["gate", "open", "is:any", "in:harbour"]), max_size=3).map(" ".join),
    st.sampled_from(NAMES),
    st.text(st.characters(exclude_characters='"', exclude_categories=["Cs", "Cc"]), min_size=1).filter(
        str.strip
    ),
)
def test_a_filter_goes_in_and_out_again(line: str, name: str, value: str) -> None:
    more = with_filter(line, name, value)
    assert f"{name}:" in more
    assert set(with_filter(more, name, value).split()) <= set(line.split())


def test_another_value_takes_the_place_of_the_one_before() -> None:
    assert with_filter("gate in:harbour", "in", "/home/dev/my lights") == 'gate in:"/home/dev/my lights"'
    assert with_filter("is:pinned", "is", "archived") == "is:pinned is:archived"


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("mo", "model:"),
        ("model:gp", "model:gpt-9-codex"),
        ("gate in:har", "gate in:harbour"),
        ("is:arch", "is:archived"),
        ("since:", "since:today"),
        ("gate", None),
        ("i", None),
        ("is:archived", None),
        ("is:arch ", None),
    ],
)
def test_the_last_word_is_completed(line: str, completed: str | None) -> None:
    assert completion(line, FACETS) == completed
