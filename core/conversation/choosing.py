"""What a conversation runs with: what a person chose, what that may be, and what Codex really uses. Pure.

A choice holds from the next turn on: a turn is begun with whatever differs from what Codex says it uses
(PROTOCOL, Turns: overrides stick). After a resume Codex has the model, the effort and the approvals again, the
sandbox it takes from its settings (seen on 0.163), so that one is said anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from core.access.policy import AccessContext, AccessPolicy, ProfileId, authorize, wider
from core.agent.events import RunSettings
from core.agent.port import Approvals, Model, Sandbox, TurnOptions
from core.conversation.workspace import Choices, Workspace
from core.errors import InvalidRequest

T = TypeVar("T")

Access = tuple[AccessContext, ProfileId, AccessPolicy]
"""What a run is bound to."""

OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Selected:
    """What the next turn runs with, for the person; "" where it is not known yet.

    `planning`: Codex plans before it changes anything. `coming`: the names of those that Codex does not use yet, because a turn has to begin first.
    """

    model: str = ""
    effort: str = ""
    profile: str = OPERATOR
    sandbox: str = ""
    approvals: str = ""
    coming: frozenset[str] = frozenset()
    planning: bool = False


@dataclass(frozen=True, slots=True)
class Selector:
    """One conversation's choices over its workspace's defaults; `used` is what Codex uses, if it said so.

    `begun`: Codex said it of the thread itself; else of what a new one would begin with.
    """

    workspace: Workspace
    policy: AccessPolicy
    choices: Choices = field(default_factory=Choices)
    used: RunSettings | None = None
    begun: bool = False

    @property
    def profile(self) -> ProfileId:
        return ProfileId(self.choices.profile or self.workspace.defaults.profile or OPERATOR)

    @property
    def sandbox(self) -> Sandbox | None:
        """What was asked for, or what the profile narrows Codex's own to; None leaves it to Codex."""
        asked = self.choices.sandbox or self.workspace.policy.sandbox
        if asked is not None:
            return asked
        profile = self.policy.profiles.get(self.profile)
        if profile is None:
            return None
        now = self._sandbox_now
        if now is None:
            # Nothing is narrower than reading, so for that alone Codex's own need not be known.
            return Sandbox.READ_ONLY if profile.sandbox_at_most is Sandbox.READ_ONLY else None
        return profile.sandbox_at_most if wider(now, profile.sandbox_at_most) else None

    @property
    def _sandbox_now(self) -> Sandbox | None:
        """What Codex uses; one that is not among these (an external sandbox) counts as the widest.

        None where it did not say yet what this thread, or one that begins now, runs in.
        """
        name = self.used.sandbox if self.used is not None else None
        if name is None and not self.begun:
            return None
        return Sandbox(name) if name in set(Sandbox) else Sandbox.FULL_ACCESS

    @property
    def approvals(self) -> Approvals | None:
        return self.choices.approvals or self.workspace.policy.approvals

    @property
    def model(self) -> str | None:
        return self.choices.model or self.workspace.defaults.model

    @property
    def effort(self) -> str | None:
        return self.choices.effort or self.workspace.defaults.effort

    @property
    def context(self) -> AccessContext:
        """With the sandbox that the next turn really runs in."""
        return AccessContext(str(self.workspace.path), self.sandbox or self._sandbox_now)

    @property
    def access(self) -> Access:
        """What a run that begins with this is bound to."""
        return self.context, self.profile, self.policy

    @property
    def joined(self) -> AccessContext:
        """Of a turn that another program began: it runs in what Codex uses, whatever is chosen here."""
        return AccessContext(str(self.workspace.path), self._sandbox_now)

    @property
    def selected(self) -> Selected:
        used = self.used or RunSettings("", None, None, None)
        asked = {
            "model": (self.model, used.model),
            "effort": (self.effort, used.effort),
            "sandbox": (self.sandbox, used.sandbox),
            "approvals": (self.approvals, used.approvals),
        }
        coming = [name for name, (wanted, now) in asked.items() if self.begun and wanted not in (None, now)]
        values = {name: str(wanted or now or "") for name, (wanted, now) in asked.items()}
        return Selected(profile=self.profile, planning=used.planning, coming=frozenset(coming), **values)

    def options(self, asked: TurnOptions | None = None) -> TurnOptions:
        """What the next turn has to say: what its message asks for, and what Codex does not use yet.

        The sandbox and the approvals are never the message's: a run is authorized for those of the conversation.
        """
        used = self.used if self.begun else None
        chosen = TurnOptions(
            model=_unless(self.model, used.model if used else None),
            effort=_unless(self.effort, used.effort if used else None),
            sandbox=_unless(self.sandbox, used.sandbox if used else None),
            approvals=_unless(self.approvals, used.approvals if used else None),
        )
        if asked is None:
            return chosen
        return replace(asked, sandbox=chosen.sandbox, approvals=chosen.approvals)

    def heard(self, used: RunSettings) -> Selector:
        """Codex says what it uses. What another client set after our choice was in force is the choice now."""
        before = self.used if self.begun else None
        changes: dict[str, str | None] = {}
        for name in ("model", "effort"):
            mine, now = getattr(self.choices, name), getattr(used, name)
            if before is not None and mine is not None and getattr(before, name) == mine != now:
                changes[name] = now
        return replace(self, used=used, begun=True, choices=self.choices.model_copy(update=changes))

    def choose(self, change: Choices, models: Sequence[Model]) -> Selector:
        """With the fields of `change` that say something.

        An effort that another model does not have gives way to that model's own default. Raises
        InvalidRequest for what is not in Codex's lists (`models` empty: not checked), Unauthorized for what
        the profile does not allow.
        """
        update = {name: value for name, value in change if value is not None}
        found = replace(self, choices=self.choices.model_copy(update=update))
        model = _find(found.selected.model, models)
        if change.model is not None and models and model is None:
            known = ", ".join(one.id for one in models)
            raise InvalidRequest(f"Codex has no model {change.model}", todo=f"Choose one of {known}.")
        effort = found.selected.effort
        if model is not None and effort and model.efforts and effort not in model.efforts:
            if change.effort is not None:
                known = ", ".join(model.efforts)
                raise InvalidRequest(
                    f"The model {model.id} does not think with effort {effort}",
                    todo=f"Choose one of {known}.",
                )
            fitting = found.choices.model_copy(update={"effort": model.default_effort})
            found = replace(found, choices=fitting)
        authorize(found.context, found.profile, found.policy)
        return found


def _find(name: str, models: Sequence[Model]) -> Model | None:
    return next((model for model in models if model.id == name), None)


def _unless(wanted: T, used: str | None) -> T | None:
    return wanted if wanted != used else None
