"""One request and the person before it: what they press counts only where they mean it (DESIGN, Deciding). Pure.

A decision is made only on purpose: the request was entered by a deliberate act; it was quiet since it appeared,
since it was entered and since a key came too soon; and, to accept it, all that is to be judged was seen, nothing
of it is missing, and what is doubtful was chosen twice. One decision is made, until it is taken back.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from tui.prompts.choices import NEED_ALL_SEEN, Effect, Offer
from tui.prompts.gate import Gate
from tui.prompts.reasons import Failed, Missing, NotWhole, OnceMore, Reason, Why
from tui.prompts.seen import Seen


class Phase(Enum):
    """How far it is. A message to Codex may be being written in any of them (`Sitting.saying`)."""

    AWAY = auto()
    """The person is somewhere else."""
    LOOKING = auto()
    """They are in it, and it is not quiet long enough yet."""
    ARMED = auto()
    """A choice counts now, if nothing has to be seen for it."""
    DECIDING = auto()
    """A decision was made here, and is on its way."""
    SETTLED = auto()
    """Nothing is left to decide."""


class Deed(Enum):
    """What is to be done for a choice that counts."""

    DECIDE = auto()
    """Answer with it: from here on nothing else counts."""
    SAY = auto()
    """Have the person write what goes with it."""
    RULE = auto()
    OPEN = auto()
    INTERRUPT = auto()
    POSTPONE = auto()


@dataclass(frozen=True, slots=True)
class Refused:
    """The choice does not count. `reason` None: nothing can be chosen any more, as is said already."""

    reason: Reason | None


Verdict = Deed | Refused

_DEEDS = {
    Effect.ACCEPT: Deed.DECIDE,
    Effect.REFUSE: Deed.DECIDE,
    Effect.SAY: Deed.SAY,
    Effect.RULE: Deed.RULE,
    Effect.OPEN: Deed.OPEN,
    Effect.INTERRUPT: Deed.INTERRUPT,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a request bears on accepting it, as clauses, "" where there is none.

    `lacks`: what of it cannot be judged here, so that it cannot be accepted. `doubt`: why accepting asks twice.
    """

    lacks: str = ""
    doubt: str = ""


class Sitting:
    """Moments are seconds of the clock of key events. It knows of no other time than those that it was told."""

    def __init__(self, asked: Asked, appeared: float) -> None:
        self._asked = asked
        self._gate = Gate(appeared)
        self._seen = Seen()
        self._now = appeared
        self._said: Reason | None = None
        self._saying: Offer | None = None
        self._decided = False
        self._settled = False
        self._ruling = False

    # How it stands.

    @property
    def phase(self) -> Phase:
        if self._settled:
            return Phase.SETTLED
        if self._decided:
            return Phase.DECIDING
        if not self._gate.entered:
            return Phase.AWAY
        return Phase.ARMED if self.quiet else Phase.LOOKING

    @property
    def entered(self) -> bool:
        """Is the person in it? They may be, too, while nothing is left to decide."""
        return self._gate.entered

    @property
    def quiet(self) -> bool:
        """Was it quiet long enough, at the last moment that was told?"""
        return self._now >= self._gate.quiet_ends()

    @property
    def quiet_ends(self) -> float:
        return self._gate.quiet_ends()

    @property
    def accepts(self) -> bool:
        """Would accepting count now, though perhaps only the second time?"""
        return self.phase is Phase.ARMED and self._seen.whole and not self._asked.lacks

    @property
    def decided(self) -> bool:
        """Was a decision made here? It stays so when that is what settles it."""
        return self._decided

    @property
    def ruling(self) -> bool:
        """Did the person go from here to where a rule is made of it?"""
        return self._ruling

    @property
    def saying(self) -> Offer | None:
        """The refusal that a message is being written for."""
        return self._saying

    @property
    def said(self) -> Reason | None:
        """What the person was told last, while it holds."""
        return self._said

    @property
    def seen_whole(self) -> bool:
        return self._seen.whole

    @property
    def unseen(self) -> int:
        """How many rows were not seen yet."""
        return self._seen.missing

    # What the person does.

    def enter(self, when: float) -> None:
        """They went into it."""
        self._tell(when)
        self._gate.enter(when)

    def leave(self) -> None:
        """They went somewhere else."""
        self._gate.leave()
        self._said = None

    def look_away(self) -> None:
        """They left the terminal: as they come back they go in anew, and what they were told holds still."""
        self._gate.leave()

    def look(self, top: int, height: int, total: int, width: int) -> bool:
        """What of it is on the screen, as in `Seen.look`. Is anything seen now that was not, or the other way?"""
        before = self._seen.whole, self._seen.missing
        self._seen.look(top, height, total, width)
        if self._seen.whole and self._said is Why.UNSEEN:
            self._said = None
        return before != (self._seen.whole, self._seen.missing)

    def choose(self, offer: Offer, when: float) -> Verdict:
        """They chose; `when` is the key's or click's own time."""
        if self._over:
            return Refused(None)
        self._tell(when)
        match offer.effect:
            case Effect.LATER:
                return Deed.POSTPONE
            case Effect.NONE:
                return self._refuse(Why.UNKNOWN)
            case effect:
                reason = self.too_early(when) or self._unfit(offer, when)
                return self._refuse(reason) if reason else self._do(_DEEDS[effect], offer)

    def choose_nothing(self) -> Refused:
        """They pressed Enter with no choice marked."""
        return Refused(None) if self._over else self._refuse(Why.NOTHING_MARKED)

    def give_message(self, message: str, when: float) -> Verdict:
        """They gave what goes with the refusal."""
        if self._over or self._saying is None:
            return Refused(None)
        self._tell(when)
        reason = self.too_early(when) if message.strip() else Why.NOTHING_WRITTEN
        return self._refuse(reason) if reason else self._do(Deed.DECIDE, self._saying)

    def stop_saying(self) -> None:
        """They want no message to go with it, or not now."""
        self._saying = None

    def fill_in(self) -> bool:
        """They put something into a field. Was it said that something is missing? It is another answer now."""
        if not isinstance(self._said, Missing):
            return False
        self._said = None
        return True

    def too_early(self, when: float) -> Why | None:
        """Why nothing that is done at this moment counts. What comes within the quiet period begins it again."""
        if not self._gate.entered:
            return Why.OUTSIDE
        return Why.TOO_SOON if self._gate.hasty(when) else None

    # What becomes of it.

    def pass_quiet(self, now: float) -> None:
        """It is that late: was it quiet until then?"""
        self._tell(now)
        if self.quiet and self._said is Why.TOO_SOON:
            self._said = None

    def change(self, asked: Asked, when: float) -> None:
        """It asks something else: that is looked at from its beginning, and what was decided does not hold for it."""
        self._tell(when)
        self._asked = asked
        self._gate.change(when)
        self.unsee()
        self._decided = False
        self._saying = None
        self._said = Why.CHANGED

    def weigh(self, asked: Asked) -> None:
        """It asks the same, and this is what is known of it now."""
        self._asked = asked

    def unsee(self) -> None:
        """Something else is shown of it, which nobody has seen."""
        self._seen = Seen()

    def undecide(self, why: Missing | Failed) -> None:
        """The decision that was made here makes no answer, or was not taken: another may be made."""
        self._decided = False
        self._said = why

    def settle(self) -> None:
        """It is decided, here or elsewhere, or asked no longer."""
        self._settled = True

    @property
    def _over(self) -> bool:
        return self._decided or self._settled

    def _tell(self, when: float) -> None:
        """Keys may be heard of late."""
        self._now = max(self._now, when)

    def _unfit(self, offer: Offer, when: float) -> Reason | None:
        """Why something that lets anything happen does not count yet."""
        if offer.effect not in NEED_ALL_SEEN:
            return None
        if not self._seen.whole:
            return Why.UNSEEN
        if self._asked.lacks:
            return NotWhole(self._asked.lacks)
        if self._asked.doubt and not self._gate.twice(offer.label, when):
            return OnceMore(self._asked.doubt, offer.key)
        return None

    def _refuse(self, reason: Reason) -> Refused:
        self._said = reason
        return Refused(reason)

    def _do(self, deed: Deed, offer: Offer) -> Deed:
        match deed:
            case Deed.DECIDE:
                self._decided = True
                self._said = None
            case Deed.SAY:
                self._saying = offer
            case Deed.RULE:
                self._ruling = True
            case _:
                pass
        return deed
