"""Always: a rule made of what Codex asks, and this one request accepted with it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from time import monotonic, time
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from core.access.proposals import Proposal
from core.access.rules import Place, Reach, RuleDraft, Scope
from core.agent.requests import Answer, Decide
from core.conversation.feed import Notification
from core.errors import QuarterdeckError
from tui.keymap import STAYS
from tui.prompts.body import Body
from tui.prompts.choices import Effect, Offer
from tui.prompts.foreseen import foreseen_lines, nothing_possible
from tui.prompts.hint import sentence
from tui.prompts.judged_text import JudgedText
from tui.prompts.lines import judged
from tui.prompts.reasons import Failed, Reason, Why
from tui.prompts.sitting import Asked, Deed, Phase, Refused, Sitting
from tui.rules.words import scope_words
from tui.screens.dialog import CLOSE, Dialog
from tui.transcript import safe
from tui.widgets.key_names import key_shown

if TYPE_CHECKING:
    from core.engine import Engine

REACHES = (Reach.WORKSPACE, Reach.CONVERSATION, Reach.EVERYWHERE)
EXPIRIES: tuple[tuple[str, int | None], ...] = (
    ("for good", None),
    ("for an hour", 3_600_000),
    ("for a day", 86_400_000),
    ("for a week", 604_800_000),
    ("for 30 days", 2_592_000_000),
)
TALL = 36
"""Rows from which on the whole of it has room with as much foreseen as is shown at once."""

KEEP = Offer("y", "Keep the rule and accept this", Effect.ACCEPT)


class RuleMaker(Dialog[str | None]):
    """Closed with what was done, in words, or with None where nothing was. Nothing is chosen by itself: `y` counts
    when all that the rule would have matched was on the screen, and not in the first moment.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(KEEP.key, "keep", KEEP.label, id=STAYS),
        Binding("w", "reach", "Where"),
        Binding("e", "expiry", "How long"),
        Binding("pagedown,space", "read(1)", "Read on", priority=True),
        Binding("pageup", "read(-1)", "Read back", show=False, priority=True),
        Binding("escape", "back", "Back", id=CLOSE),
    ]
    PART = "rule_maker"
    URGENT = ("keep", "read(1)")

    def __init__(self, engine: Engine, notification: Notification) -> None:
        super().__init__()
        self.VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]
        self._engine = engine
        self._notification = notification
        self._place = Place(notification.conversation_id or "", "")
        self._titles: dict[str, str] = {}
        self._proposals: tuple[Proposal, ...] = ()
        self._reach = 0
        self._expiry = 0
        self._sitting = Sitting(Asked(), monotonic())
        self._shown: tuple[RuleDraft, ...] = ()
        """Whose consequences are on the screen."""

    def compose(self) -> ComposeResult:
        self._list = OptionList(compact=True, id="rule-proposals")
        self._scope = Static(id="rule-scope", markup=False)
        self._text = JudgedText(judged(()))
        self._said = Static(id="rule-said", markup=False)
        with Vertical(id="rule-maker") as box:
            box.border_title = "Always: a rule for this"
            yield self._list
            yield self._scope
            self._body = Body(id="rule-foreseen")
            with self._body:
                yield self._text
            yield self._said

    def on_mount(self) -> None:
        self._sitting.enter(monotonic())
        self.watch(self._body, "scroll_y", self._look, init=False)
        self.screen_layout_refresh_signal.subscribe(self, lambda _: self._look())
        self._list.focus()
        self.run_worker(self._propose, group="propose")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        del parameters
        return bool(self._proposals) or action not in ("keep", "reach", "expiry")

    async def _propose(self) -> None:
        notification = self._notification
        try:
            infos = await self._engine.conversations()
            self._titles = {info.id: info.title for info in infos}
            paths = [info.path for info in infos if info.id == notification.conversation_id]
            if paths:
                self._place = Place(notification.conversation_id or "", paths[0])
                self._proposals = await asyncio.to_thread(
                    self._engine.rules.propose, notification.request, self._place, Reach.WORKSPACE
                )
        except QuarterdeckError as error:
            self._say(str(error))
            return
        self.refresh_bindings()
        self._list.display = self._scope.display = bool(self._proposals)
        if not self._proposals:
            self._text.show(nothing_possible(notification))
            return
        self._list.add_options([Option(_label(proposal)) for proposal in self._proposals])
        self._list.highlighted = 0

    # What is chosen, and what it does.

    @property
    def drafts(self) -> tuple[RuleDraft, ...]:
        """The rules as they are chosen now."""
        at = self._list.highlighted
        if at is None or at >= len(self._proposals):
            return ()
        scope = Scope.at(REACHES[self._reach], self._place)
        span = EXPIRIES[self._expiry][1]
        expires = None if span is None else int(time() * 1000) // 1000 * 1000 + span
        return tuple(
            replace(draft, scope=scope, expires_at_ms=expires) for draft in self._proposals[at].rules
        )

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._choose()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter alone keeps nothing."""
        event.stop()
        self._say("y keeps the rule and accepts this")

    def action_reach(self) -> None:
        self._reach = (self._reach + 1) % len(REACHES)
        self._choose()

    def action_expiry(self) -> None:
        self._expiry = (self._expiry + 1) % len(EXPIRIES)
        self._choose()

    def _choose(self) -> None:
        drafts = self.drafts
        if not drafts:
            return
        self._shown = ()
        where = scope_words(drafts[0].scope, self._titles)
        self._scope.update(Content(f"It holds {where}, {EXPIRIES[self._expiry][0]}."))
        self._say("")
        self.run_worker(partial(self._foresee, drafts), group="foresee", exclusive=True)

    async def _foresee(self, drafts: tuple[RuleDraft, ...]) -> None:
        try:
            foresight = await self._engine.rules.foresee(drafts, self._notification.profile)
        except QuarterdeckError as error:
            self._say(str(error))
            return
        self._text.show(foreseen_lines(drafts, foresight))
        self._body.scroll_home(animate=False)
        self._shown = drafts
        self._sitting.unsee()
        self._look()

    def _look(self) -> None:
        """What the rule would have matched is judged like a request: all of it was on the screen."""
        window = self._body.window()
        if window is None or not self._shown or not self._text.laid_out:
            return
        top, height, width = window
        before = self._sitting.seen_whole
        self._sitting.look(top, height, self._text.region.height, width)
        if self._sitting.seen_whole and not before:
            self._say("")

    def action_read(self, pages: int) -> None:
        """What it would have matched, from wherever the focus is."""
        if pages > 0:
            self._body.action_page_down()
        else:
            self._body.action_page_up()

    def action_back(self) -> None:
        """What was begun is ended first: it would be half done."""
        if self._sitting.phase is Phase.DECIDING:
            self._say("The rule is being kept: this closes when that is done")
        else:
            self.dismiss(None)

    # The deed.

    async def on_key(self, event: events.Key) -> None:
        """A key that is held down, or was typed before this was there, keeps nothing."""
        if event.key == KEEP.key and (reason := self._sitting.too_early(event.time)):
            event.stop()
            event.prevent_default()
            self._refuse(reason)

    def action_keep(self) -> None:
        if not self._shown:
            self._say("Wait for what it would have matched, then press y")
            return
        verdict = self._sitting.choose(KEEP, monotonic())
        if verdict is Deed.DECIDE:
            self.run_worker(partial(self._keep, self._shown), group="keep")
        elif isinstance(verdict, Refused) and verdict.reason:
            self._refuse(verdict.reason)

    def _refuse(self, reason: Reason) -> None:
        self._say(f"{sentence(reason)} (PgDn)" if reason is Why.UNSEEN else sentence(reason))

    async def _keep(self, drafts: tuple[RuleDraft, ...]) -> None:
        """The rule first: where this request is gone meanwhile, the next one like it is decided by it."""
        notification = self._notification
        answer = acceptance(notification)
        try:
            numbers = await self._engine.rules.add(drafts, notification.conversation_id)
        except QuarterdeckError as error:
            self._sitting.undecide(Failed(str(error)))
            self._say(str(error))
            return
        kept = f"Rule {', '.join(map(str, numbers))} is kept ({key_shown(self.app, 'rules', 'f7')} shows it)"
        try:
            assert answer is not None, "a rule is only offered where a plain accept is"
            await self._engine.decide(notification.id, answer, notification.shown_hash)
        except QuarterdeckError as error:
            self.dismiss(f"{kept}; this request was not accepted with it: {error}")
            return
        self.dismiss(f"{kept}, and this was accepted")

    def _say(self, text: str) -> None:
        self._said.update(Content(safe.line(text)))
        self._said.display = bool(text)


def acceptance(notification: Notification) -> Answer | None:
    """The plain accept that the request offers; None where it offers none."""
    choices = getattr(notification.request, "choices", ())
    return next((Decide(choice=choice) for choice in choices if choice.verb == "accept"), None)


def _label(proposal: Proposal) -> Content:
    return Content(safe.line(proposal.label, 200))
