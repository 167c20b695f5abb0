"""The rules: in their order, changed, tried out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import time
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from core.access.rules import Reach, Rule, RuleDraft, Scope
from core.errors import NotFound, QuarterdeckError
from tui.prompts.body import Body
from tui.prompts.judged_text import JudgedText
from tui.prompts.lines import judged
from tui.rules.editor import RuleEditor
from tui.rules.rows import no_rules, profile_lines, row_drawer, rule_lines
from tui.rules.trying import TryLine
from tui.screens.opening import OverScreen
from tui.transcript import safe
from tui.transcript.panes.words import count
from tui.widgets.key_bar import KeyBar
from tui.widgets.key_names import key_shown
from tui.widgets.lazy_list import LazyList

Done = tuple[str, int | None]
"""What to say, and where the cursor is to be (None: where it is)."""

WIDE = 110
ORDER = (
    "The first that matches counts; where none does, you are asked. No rule allows what the profile denies. "
    "{up} and {down} move one."
)


def _now_ms() -> float:
    return time() * 1000


class RulesScreen(OverScreen):
    """Letters act on the rule under the cursor; `t` tries a command out."""

    AUTO_FOCUS = "#rules-list"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e,enter", "edit", "Edit"),
        Binding("space", "switch", "On/off"),
        Binding("x,delete", "revoke", "Revoke"),
        Binding("u", "undo", "Put it back"),
        Binding("t", "try", "Try"),
        Binding("a", "add", "New"),
        Binding("p", "profiles", "Profiles"),
        Binding("shift+up,K", "reorder(-1)", "Move up", show=False),
        Binding("shift+down,J", "reorder(1)", "Move down", show=False),
        Binding("escape", "back", "Close", priority=True),
        Binding("f7", "dismiss(None)", "Close", show=False, id="rules"),
    ]
    PART = "rules"

    _revision = 0
    _rules: tuple[Rule, ...] = ()
    _revoked: tuple[Rule, int] | None = None
    """The last one that was revoked here, and where it stood."""
    _profiles = False

    def compose(self) -> ComposeResult:
        self._deeds = asyncio.Lock()
        self._titles: dict[str, str] = {}
        self._paths: list[str] = []
        self._list: LazyList[Rule] = LazyList(
            self._fetch, row_drawer(_now_ms, self._titles), widget_id="rules-list"
        )
        self._text = JudgedText(judged(()))
        self._said = Static(id="rules-said", markup=False)
        self._trying = TryLine(self.engine.rules)
        with Vertical(id="rules") as box:
            box.border_title = "Rules"
            yield Static(Content(self._order()), id="rules-order", markup=False)
            with Horizontal(id="rules-parts"):
                yield self._list
                with Body(id="rules-details"):
                    yield self._text
            yield self._trying
            yield self._said
        yield KeyBar(urgent=("undo",), last=("help", "back"), always="back", widget_id="rules-keys")

    def _order(self) -> str:
        up, down = (key_shown(self.app, f"rules_move_{way}", f"shift+{way}") for way in ("up", "down"))
        return ORDER.format(up=up, down=down)

    def on_mount(self) -> None:
        self._said.display = False
        self.run_worker(self._begin, group="read", exclusive=True)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= WIDE, "-wide")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        typing = isinstance(self.focused, Input)
        match action:
            case "edit" | "switch" | "revoke":
                return bool(self._rules) and not typing
            case "undo":
                return self._revoked is not None and not typing
            case "reorder":
                step = parameters[0]
                at = self._list.cursor + (step if isinstance(step, int) else 0)
                return not typing and 0 <= at < len(self._rules)
            case "try" | "add" | "profiles":
                return not typing
            case _:
                return True

    def key_words(self, action: str) -> str | None:
        match action:
            case "back" if self._out_of_the_list or self._profiles:
                return "Back"
            case "profiles" if self._profiles:
                return "The rule"
            case _:
                return None

    @property
    def _out_of_the_list(self) -> bool:
        """Does Escape lead back to the list?"""
        return isinstance(self.focused, Input) or (self.focused is not self._list and bool(self._rules))

    # What is shown.

    async def _begin(self) -> None:
        with suppress(QuarterdeckError):
            infos = await self.engine.conversations()
            self._titles.update((info.id, info.title) for info in infos)
            self._paths = list(dict.fromkeys(info.path for info in infos if info.path))
            if self._paths:
                self._trying.folder = Path(self._paths[0])
        await self._read()

    async def _read(self, cursor: int | None = None) -> None:
        """The rules as they are now; the cursor stays unless it is to be elsewhere."""
        try:
            listed = await self.engine.rules.read()
        except QuarterdeckError as error:
            self._say(str(error))
            return
        self._revision, self._rules = listed.revision, listed.rules
        box = self.query_one("#rules")
        box.border_subtitle = Content(count(len(self._rules), "rule"))
        self._list.display = bool(self._rules)
        self._list.show(len(self._rules), cursor=self._list.cursor if cursor is None else cursor)
        self._show_details()
        self.refresh_bindings()

    async def _fetch(self, offset: int, limit: int) -> Sequence[Rule]:
        return self._rules[offset : offset + limit]

    @property
    def _rule(self) -> Rule | None:
        """The one under the cursor."""
        at = self._list.cursor
        return self._rules[at] if at < len(self._rules) else None

    def _show_details(self) -> None:
        rule = self._rule
        if self._profiles:
            shown = profile_lines(self.engine.rules.profiles, self.engine.rules.default_profile)
        elif rule is None:
            shown = no_rules(key_shown(self.app, "rules_add", "a"))
        else:
            shown = rule_lines(rule, self._list.cursor + 1, _now_ms(), self._titles)
        self._text.show(shown)
        self.query_one(Body).scroll_home(animate=False)

    def _say(self, text: str) -> None:
        self._said.update(Content(safe.line(text)))
        self._said.display = bool(text)

    def on_lazy_list_moved(self) -> None:
        self._show_details()
        self.refresh_bindings()

    def on_lazy_list_chosen(self) -> None:
        self.action_edit()

    # What is done to a rule.

    def action_switch(self) -> None:
        self._do(self._switch)

    async def _switch(self) -> Done:
        rule = self._current()
        await self.engine.rules.switch(rule, self._revision)
        return f"Rule {rule.id} is {'disabled' if rule.enabled else 'enabled'}", None

    def action_reorder(self, step: int) -> None:
        self._do(partial(self._reorder, step))

    async def _reorder(self, step: int) -> Done:
        rule, place = self._current(), self._list.cursor + step
        if 0 <= place < len(self._rules):
            await self.engine.rules.move(rule.id, self._revision, place)
            return "", place
        return "", None

    def action_revoke(self) -> None:
        self._do(self._revoke)

    async def _revoke(self) -> Done:
        rule, place = self._current(), self._list.cursor
        await self.engine.rules.revoke(rule.id, self._revision)
        self._revoked = (rule, place)
        return (
            f"Rule {rule.id} is revoked: {key_shown(self.app, 'rules_undo', 'u')} puts it back where it was",
            None,
        )

    def action_undo(self) -> None:
        self._do(self._undo)

    async def _undo(self) -> Done:
        if self._revoked is None:
            return "", None
        rule, place = self._revoked
        place = min(place, len(self._rules))
        await self.engine.rules.restore(rule, self._revision, place)
        self._revoked = None
        return f"Rule {rule.id} is back", place

    def action_edit(self) -> None:
        if self._rules:
            rule = self._current()
            self.app.push_screen(self._editor(rule), partial(self._edited, rule, self._revision))

    def _edited(self, rule: Rule, revision: int, draft: RuleDraft | None) -> None:
        if draft is not None:
            self._do(partial(self._change, rule, revision, draft))

    async def _change(self, rule: Rule, revision: int, draft: RuleDraft) -> Done:
        await self.engine.rules.change(rule.id, revision, draft)
        return f"Rule {rule.id} is changed", None

    def action_add(self) -> None:
        self.app.push_screen(self._editor(None), self._added)

    def _added(self, draft: RuleDraft | None) -> None:
        if draft is not None:
            self._do(partial(self._add, draft))

    async def _add(self, draft: RuleDraft) -> Done:
        (number,) = await self.engine.rules.add((draft,))
        return f"Rule {number} is kept, behind the others", len(self._rules)

    def _editor(self, rule: Rule | None) -> RuleEditor:
        scopes = [Scope(Reach.WORKSPACE, path) for path in self._paths]
        return RuleEditor(rule, scopes, self._titles)

    def _current(self) -> Rule:
        """The one under the cursor. Raises NotFound where there is none any more."""
        if self._rule is None:
            raise NotFound("There is no rule there")
        return self._rule

    def _do(self, deed: Callable[[], Awaitable[Done]]) -> None:
        self.run_worker(partial(self._carry_out, deed), group="do")

    async def _carry_out(self, deed: Callable[[], Awaitable[Done]]) -> None:
        """One after the other, each on what the one before left; then what is kept is shown."""
        async with self._deeds:
            try:
                said, cursor = await deed()
            except QuarterdeckError as error:
                said, cursor = str(error), None
            await self._read(cursor)
            self._say(said)

    # Trying out.

    def action_try(self) -> None:
        self._trying.enter()

    def on_try_line_answered(self, event: TryLine.Answered) -> None:
        event.stop()
        ids = [rule.id for rule in self._rules]
        if event.rule_id in ids:
            self._list.cursor = ids.index(event.rule_id)

    def action_profiles(self) -> None:
        self._profiles = not self._profiles
        self._show_details()
        self.refresh_bindings()

    def action_back(self) -> None:
        """Out of the field, then out of the profiles, then out of here."""
        if self._out_of_the_list:
            self._list.focus()
        elif self._profiles:
            self.action_profiles()
        else:
            self.dismiss(None)
