from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.port import Model
from core.conversation.selection import Selection, resolve_selection
from core.conversation.workspace import Defaults
from core.errors import InvalidRequest

BIG = Model("big", "Big", "", ("low", "high"), "low", is_default=True)
SMALL = Model("small", "Small", "", ("low",), "low", is_default=False)
NOTHING = Defaults()


def test_the_nearest_level_that_says_something_wins() -> None:
    chosen = resolve_selection(
        Defaults(effort="low"),
        Defaults(model="small"),
        Defaults(model="big", effort="high"),
        None,
        [BIG, SMALL],
    )
    assert chosen == Selection(model="small", effort="low")


def test_the_previous_selection_holds_where_nothing_is_said() -> None:
    previous = Selection(model="small", effort="low", personality="friendly")
    assert resolve_selection(NOTHING, NOTHING, NOTHING, previous, [BIG, SMALL]) == previous


def test_an_unknown_model_is_an_error_that_names_what_there_is() -> None:
    with pytest.raises(InvalidRequest, match="big, small"):
        resolve_selection(Defaults(model="huge"), NOTHING, NOTHING, None, [BIG, SMALL])


def test_an_effort_the_model_does_not_support_is_an_error_that_names_what_it_does() -> None:
    with pytest.raises(InvalidRequest, match="low"):
        resolve_selection(Defaults(model="small", effort="high"), NOTHING, NOTHING, None, [BIG, SMALL])


def test_a_remembered_effort_gives_way_to_a_model_that_does_not_support_it() -> None:
    previous = Selection(model="big", effort="high")
    chosen = resolve_selection(Defaults(model="small"), NOTHING, NOTHING, previous, [BIG, SMALL])
    assert chosen == Selection(model="small", effort=None)


def test_an_unknown_personality_is_an_error() -> None:
    with pytest.raises(InvalidRequest, match="pragmatic"):
        resolve_selection(Defaults(personality="grumpy"), NOTHING, NOTHING, None, [BIG])


names = st.sampled_from([None, "big", "small"])


@given(names, names, names, names)
def test_the_model_is_the_first_that_is_named(
    request: str | None, conversation: str | None, workspace: str | None, before: str | None
) -> None:
    levels = [Defaults(model=name) for name in (request, conversation, workspace)]
    chosen = resolve_selection(*levels, Selection(model=before), [BIG, SMALL])
    named = [name for name in (request, conversation, workspace, before) if name is not None]
    assert chosen.model == (named[0] if named else None)
