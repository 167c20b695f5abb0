"""Nothing counts that comes before a person went in, or before it was quiet."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.prompts.gate import QUIET, Gate
from tui.prompts.seen import Seen

LATER = 10 * QUIET


def entered(appeared: float = 0.0, at: float = 0.0) -> Gate:
    gate = Gate(appeared)
    gate.enter(at)
    return gate


def test_after_the_quiet_period_nothing_is_hasty() -> None:
    assert not entered().hasty(QUIET)


def test_the_quiet_period_runs_from_the_appearance_and_from_the_entering() -> None:
    assert entered(appeared=1.0, at=0.0).hasty(1.0 + QUIET / 2)
    assert entered(appeared=0.0, at=5.0).hasty(5.0 + QUIET / 2)


def test_a_key_that_was_pressed_before_the_prompt_was_entered_is_hasty() -> None:
    assert entered(at=5.0).hasty(4.9)


def test_a_key_that_is_held_down_is_always_hasty() -> None:
    gate = entered()
    assert all(gate.hasty(number / 30) for number in range(1_000))


def test_after_a_change_it_has_to_be_looked_at_again() -> None:
    gate = entered()
    gate.change(LATER)
    assert gate.hasty(LATER + QUIET / 2)


def test_who_is_in_it_already_does_not_begin_the_quiet_period_again() -> None:
    gate = entered()
    gate.enter(LATER)
    assert not gate.hasty(LATER)


def test_leaving_takes_the_right_to_decide_back() -> None:
    gate = entered()
    gate.leave()
    assert not gate.entered
    gate.enter(LATER)
    assert gate.hasty(LATER + QUIET / 2)


def test_a_choice_is_made_twice_when_it_is_the_same_one_and_nobody_left() -> None:
    gate = entered()
    assert not gate.twice("Accept", 1.0)
    assert gate.hasty(1.0 + QUIET / 2)
    assert gate.twice("Accept", LATER)
    assert not gate.twice("Accept for this session", LATER)
    gate.leave()
    assert not gate.twice("Accept for this session", LATER)


@given(
    st.lists(st.tuples(st.sampled_from(["enter", "leave", "change", "key"]), st.floats(0, 0.4)), max_size=40)
)
def test_every_key_within_the_quiet_period_of_anything_is_hasty(steps: list[tuple[str, float]]) -> None:
    gate = Gate(0.0)
    now, quiet_since, inside = 0.0, 0.0, False
    for step, wait in steps:
        now += wait
        match step:
            case "enter":
                quiet_since = quiet_since if inside else now
                inside = True
                gate.enter(now)
            case "leave":
                inside = False
                gate.leave()
            case "change":
                quiet_since = now
                gate.change(now)
            case _:
                hasty = gate.hasty(now)
                assert hasty == (now < quiet_since + QUIET)
                quiet_since = now if hasty else quiet_since


def test_a_jump_to_the_end_has_not_seen_the_middle() -> None:
    seen = Seen()
    seen.look(0, 10, 100, 80)
    seen.look(90, 10, 100, 80)
    assert not seen.whole
    assert seen.missing == 90
    for top in range(5, 95, 5):
        seen.look(top, 10, 100, 80)
    assert seen.whole


def test_what_fits_is_seen_at_once_and_nothing_is_not_seen() -> None:
    seen = Seen()
    assert not seen.whole
    seen.look(0, 8, 5, 80)
    assert seen.whole


def test_in_another_width_what_was_not_seen_whole_is_begun_again() -> None:
    seen = Seen()
    seen.look(0, 10, 30, 80)
    seen.look(20, 10, 60, 40)
    assert seen.missing == 60
    for top in range(0, 60, 10):
        seen.look(top, 10, 60, 40)
    seen.look(0, 10, 90, 20)
    assert seen.whole
