"""Whatever a person does before a request, and whenever: it is decided only on purpose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tui.prompts.choices import Effect, Offer
from tui.prompts.gate import QUIET
from tui.prompts.hint import sentence
from tui.prompts.reasons import Failed, Missing, NotWhole, OnceMore, Why
from tui.prompts.sitting import Asked, Deed, Phase, Refused, Sitting, Verdict

TICKS = 64
"""Moments are whole numbers of ticks, so that sums of them are exact."""
WIDTHS = (80, 40)
ACCEPT = Offer("y", "Accept", Effect.ACCEPT)
DECLINE = Offer("n", "Decline", Effect.REFUSE)
SAY = Offer("m", "Decline, and say…", Effect.SAY)
OFFERS = (
    ACCEPT,
    Offer("a", "Accept for this session", Effect.ACCEPT),
    DECLINE,
    SAY,
    Offer("l", "Always…", Effect.RULE),
    Offer("o", "Open the page", Effect.OPEN),
    Offer("x", "Stop the turn", Effect.INTERRUPT),
    Offer("s", "Not now", Effect.LATER),
    Offer("", "unknown", Effect.NONE),
)
LETS_HAPPEN = (Effect.ACCEPT, Effect.RULE, Effect.OPEN)
ASKED = st.builds(
    Asked, lacks=st.sampled_from(["", "", "it is too much"]), doubt=st.sampled_from(["", "odd"])
)
PRESSED = st.sampled_from([ACCEPT, SAY, *OFFERS])
MOMENTS = st.sampled_from([0.0, 1 / TICKS, QUIET - 1 / TICKS, QUIET, QUIET + 1 / TICKS, 3 * QUIET])
WITHIN = st.integers(0, int(QUIET * TICKS) - 1).map(lambda ticks: ticks / TICKS)
"""Shorter than the quiet period."""


class Sat(RuleBasedStateMachine):
    """Beside the sitting, what happened to it is kept: that alone says whether a choice may count."""

    def __init__(self) -> None:
        super().__init__()
        self.now = self.told = 1.0
        """`told`: the last moment that the sitting knows of."""
        self.asked, self.rows, self.width = Asked(), 5, WIDTHS[0]
        self.sitting = Sitting(self.asked, self.now)
        self.disturbed = self.now
        """Since when it was quiet."""
        self.inside = self.decided = self.settled = False
        self.on_screen: set[int] = set()
        self.whole = False
        self.first = ""
        """What was chosen first of what has to be chosen twice."""
        self.message_for: Offer | None = None

    @property
    def over(self) -> bool:
        return self.decided or self.settled

    def tell(self, when: float) -> float:
        self.told = max(self.told, when)
        return when

    def disturb(self, when: float) -> None:
        self.disturbed = max(self.disturbed, when)

    def in_time(self, when: float) -> bool:
        return self.inside and when - self.disturbed >= QUIET

    def may_count(self, offer: Offer, when: float) -> bool:
        if self.over or offer.effect is Effect.NONE:
            return False
        if offer.effect is Effect.LATER:
            return True
        twice = not self.asked.doubt or self.first == offer.label
        fit = self.whole and not self.asked.lacks and twice
        return self.in_time(when) and (fit or offer.effect not in LETS_HAPPEN)

    # What goes on around it.

    @rule(seconds=MOMENTS)
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def the_timer_tells_it(self) -> None:
        self.sitting.pass_quiet(self.tell(self.now))
        assert not (self.sitting.quiet and self.sitting.said is Why.TOO_SOON)

    @rule()
    def enter(self) -> None:
        if not self.inside:
            self.disturb(self.now)
        self.inside = True
        self.sitting.enter(self.tell(self.now))

    @rule()
    def go_in_and_read_it(self) -> None:
        self.enter()
        self.look_from_the_beginning_to_the_end()
        self.now += QUIET
        self.the_timer_tells_it()

    @precondition(lambda self: self.inside)
    @rule(terminal=st.booleans())
    def leave(self, terminal: bool) -> None:
        said = self.sitting.said
        self.inside, self.first = False, ""
        if terminal:
            self.sitting.look_away()
        else:
            self.sitting.leave()
        assert self.sitting.said is (said if terminal else None)

    @rule(asked=ASKED, rows=st.integers(1, 12))
    def it_asks_something_else(self, asked: Asked, rows: int) -> None:
        self.disturb(self.now)
        self.asked, self.rows, self.on_screen, self.whole = asked, rows, set(), False
        self.decided, self.first, self.message_for = False, "", None
        self.sitting.change(asked, self.tell(self.now))
        assert not self.sitting.seen_whole

    @rule(asked=ASKED)
    def more_is_known_of_it(self, asked: Asked) -> None:
        self.asked = asked
        self.sitting.weigh(asked)

    @rule(width=st.sampled_from(WIDTHS), top=st.integers(0, 20), height=st.integers(1, 20))
    def look(self, width: int, top: int, height: int) -> None:
        total = self.rows * WIDTHS[0] // width
        if width != self.width:
            self.on_screen = set()
        self.width = width
        self.on_screen |= set(range(top, min(top + height, total)))
        self.sitting.look(top, height, total, width)
        self.whole = self.sitting.seen_whole if self._could_be_whole(total) else self.whole
        assert self.sitting.seen_whole == self.whole

    def _could_be_whole(self, total: int) -> bool:
        return self.on_screen >= set(range(total))

    @rule()
    def look_from_the_beginning_to_the_end(self) -> None:
        for top in range(self.rows * WIDTHS[0] // self.width):
            self.look(self.width, top, 1)
        assert self.sitting.seen_whole

    @precondition(lambda self: self.decided and not self.settled)
    @rule(why=st.sampled_from([Missing("a name"), Failed("it is gone")]))
    def the_decision_comes_to_nothing(self, why: Missing | Failed) -> None:
        self.decided = False
        self.sitting.undecide(why)
        assert self.sitting.said == why

    @precondition(lambda self: self.decided)
    @rule()
    def it_is_settled(self) -> None:
        self.settled = True
        self.sitting.settle()

    # What the person presses.

    @rule(offer=PRESSED, late=st.one_of(st.just(0.0), MOMENTS))
    def choose(self, offer: Offer, late: float) -> None:
        """`late`: how long ago the key was pressed."""
        self.press(offer, self.now - late)

    @rule(offer=PRESSED, gap=WITHIN, times=st.integers(2, 20))
    def hold_a_key_down(self, offer: Offer, gap: float, times: int) -> None:
        """It counts as its first press does, if that comes in time, and never again."""
        verdicts: list[Verdict] = []
        for _ in range(times):
            verdicts.append(self.press(offer, self.now))
            self.now += gap
        assert Deed.DECIDE not in verdicts[1:]
        if verdicts[0] == Refused(Why.TOO_SOON):
            assert set(verdicts) == {Refused(Why.TOO_SOON)}

    def press(self, offer: Offer, when: float) -> Verdict:
        self.sitting.pass_quiet(self.tell(when))
        before, said, may_count = self.sitting.phase, self.sitting.said, self.may_count(offer, when)
        verdict = self.sitting.choose(offer, when)
        if not isinstance(verdict, Refused):
            assert may_count
            self._did(verdict, offer)
        elif self.over:
            assert verdict == Refused(None)
            assert (self.sitting.phase, self.sitting.said) == (before, said)
        else:
            assert not may_count
            assert verdict.reason is not None and verdict.reason == self.sitting.said
            self._check_reason(verdict, offer, when)
            assert self.sitting.phase in (before, Phase.LOOKING)
        return verdict

    def _did(self, deed: Deed, offer: Offer) -> None:
        self.decided = deed is Deed.DECIDE
        assert self.decided == (offer.effect in (Effect.ACCEPT, Effect.REFUSE))
        if deed is Deed.SAY:
            self.message_for = offer
        assert self.sitting.saying == self.message_for

    def _check_reason(self, verdict: Refused, offer: Offer, when: float) -> None:
        """What the person is told is so; and what is to be waited for begins anew with it."""
        match verdict.reason:
            case Why.UNKNOWN:
                assert offer.effect is Effect.NONE
            case Why.OUTSIDE:
                assert not self.inside
            case Why.TOO_SOON:
                assert self.inside and not self.in_time(when)
                self.disturb(when)
            case Why.UNSEEN:
                assert not self.whole
            case NotWhole(lacks):
                assert lacks == self.asked.lacks != ""
            case OnceMore(doubt, key):
                assert (doubt, key) == (self.asked.doubt, offer.key)
                assert self.first != offer.label
                self.first = offer.label
                self.disturb(when)
            case reason:
                pytest.fail(f"nobody is refused for {reason}")

    @rule()
    def press_enter_with_nothing_marked(self) -> None:
        before = self.sitting.phase
        assert self.sitting.choose_nothing() == Refused(None if self.over else Why.NOTHING_MARKED)
        assert self.sitting.phase is before

    @rule(message=st.sampled_from(["", " ", "no"]))
    def give_the_message(self, message: str) -> None:
        may_count = not self.over and self.message_for and message.strip() and self.in_time(self.now)
        self.sitting.pass_quiet(self.tell(self.now))
        verdict = self.sitting.give_message(message, self.now)
        assert (verdict is Deed.DECIDE) == bool(may_count)
        if verdict is Deed.DECIDE:
            self.decided = True
        elif verdict == Refused(Why.TOO_SOON):
            self.disturb(self.now)

    @rule()
    def give_up_the_message(self) -> None:
        self.message_for = None
        self.sitting.stop_saying()

    @rule()
    def fill_in_a_field(self) -> None:
        said = self.sitting.said
        assert self.sitting.fill_in() == isinstance(said, Missing)
        assert self.sitting.said == (None if isinstance(said, Missing) else said)

    # What holds.

    @invariant()
    def the_phase_is_what_happened(self) -> None:
        phase = self.sitting.phase
        assert (phase is Phase.SETTLED) == self.settled
        assert (phase is Phase.DECIDING) == (self.decided and not self.settled)
        assert (phase is Phase.AWAY) == (not self.over and not self.inside)
        assert self.sitting.entered == self.inside
        assert self.sitting.quiet == (self.told - self.disturbed >= QUIET)
        assert (phase is Phase.ARMED) == (not self.over and self.in_time(self.told))

    @invariant()
    def what_looks_as_if_it_could_be_accepted_can_be(self) -> None:
        if self.sitting.accepts:
            assert self.whole and not self.asked.lacks and self.in_time(self.told) and not self.over

    @invariant()
    def nobody_is_told_to_see_what_they_saw(self) -> None:
        assert not (self.sitting.said is Why.UNSEEN and self.sitting.seen_whole)


TestSat = Sat.TestCase


def seated(asked: Asked | None = None) -> Sitting:
    """Somebody is in it, and saw it whole, at the moment 0."""
    sitting = Sitting(asked or Asked(), 0.0)
    sitting.enter(0.0)
    sitting.look(0, 10, 5, 80)
    return sitting


@given(offer=st.sampled_from([ACCEPT, DECLINE]), first=WITHIN, gap=WITHIN)
def test_a_key_that_is_held_down_since_before_decides_nothing(offer: Offer, first: float, gap: float) -> None:
    sitting = seated()
    verdicts = {sitting.choose(offer, first + number * gap) for number in range(200)}
    assert verdicts == {Refused(Why.TOO_SOON)}
    assert sitting.phase is Phase.LOOKING


@given(gap=WITHIN)
def test_a_key_that_is_held_down_is_one_answer_of_the_two(gap: float) -> None:
    sitting = seated(Asked(doubt="It looks like rm"))
    assert sitting.choose(ACCEPT, 1.0) == Refused(OnceMore("It looks like rm", "y"))
    assert all(sitting.choose(ACCEPT, 1.0 + number * gap) is not Deed.DECIDE for number in range(200))


def test_what_is_doubtful_is_accepted_by_choosing_it_twice_and_declined_at_once() -> None:
    doubtful = Asked(doubt="It looks like rm")
    sitting = seated(doubtful)
    assert sitting.choose(ACCEPT, 1.0) == Refused(OnceMore("It looks like rm", "y"))
    assert sitting.choose(ACCEPT, 2.0) is Deed.DECIDE
    assert seated(doubtful).choose(DECLINE, 1.0) is Deed.DECIDE


def test_what_has_changed_is_looked_at_from_its_beginning() -> None:
    sitting = seated()
    sitting.choose(SAY, 1.0)
    sitting.change(Asked(), 2.0)
    assert (sitting.said, sitting.saying, sitting.seen_whole) == (Why.CHANGED, None, False)
    assert sitting.choose(ACCEPT, 2.1) == Refused(Why.TOO_SOON)
    assert sitting.choose(ACCEPT, 3.0) == Refused(Why.UNSEEN)
    sitting.look(0, 10, 5, 80)
    assert sitting.choose(ACCEPT, 3.1) is Deed.DECIDE


def test_what_was_chosen_once_before_it_changed_is_chosen_twice_again() -> None:
    doubtful = Asked(doubt="It looks like rm")
    sitting = seated(doubtful)
    sitting.choose(ACCEPT, 1.0)
    sitting.change(doubtful, 2.0)
    sitting.look(0, 10, 5, 80)
    assert sitting.choose(ACCEPT, 3.0) == Refused(OnceMore("It looks like rm", "y"))


def test_a_decision_is_on_its_way_until_it_is_taken_back() -> None:
    sitting = seated()
    assert sitting.choose(DECLINE, 1.0) is Deed.DECIDE
    assert sitting.choose(ACCEPT, 2.0) == Refused(None)
    sitting.undecide(Failed("it is gone"))
    assert (sitting.phase, sitting.said) == (Phase.ARMED, Failed("it is gone"))
    assert sitting.choose(ACCEPT, 3.0) is Deed.DECIDE


def test_what_was_decided_here_is_known_as_such_when_that_settles_it() -> None:
    sitting = seated()
    sitting.choose(ACCEPT, 1.0)
    sitting.settle()
    assert (sitting.phase, sitting.decided) == (Phase.SETTLED, True)


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.effect.value)
def test_nothing_is_chosen_of_what_was_settled_elsewhere(offer: Offer) -> None:
    sitting = seated()
    sitting.choose(SAY, 1.0)
    sitting.settle()
    assert sitting.choose(offer, 2.0) == Refused(None)
    assert sitting.give_message("no", 2.0) == Refused(None)
    assert (sitting.phase, sitting.decided, sitting.said) == (Phase.SETTLED, False, None)


def test_haste_is_said_until_it_was_quiet() -> None:
    sitting = seated()
    sitting.choose(ACCEPT, 0.25)
    sitting.pass_quiet(0.5)
    assert sitting.said is Why.TOO_SOON
    sitting.pass_quiet(0.25 + QUIET)
    assert (sitting.said, sitting.phase) == (None, Phase.ARMED)


@pytest.mark.parametrize("why", Why)
def test_every_reason_has_a_sentence(why: Why) -> None:
    assert sentence(why)
