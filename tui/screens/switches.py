"""What each switch offers, from Codex's own lists and our profiles. Pure, but for the words of the engine."""

from __future__ import annotations

from collections.abc import Sequence

from core.access.policy import Profile, wider
from core.agent.port import Approvals, Model, Sandbox
from core.conversation.choosing import Selected
from core.conversation.workspace import Choices
from tui.screens.pick import Pick

TITLES = {
    "model": "Model",
    "effort": "Effort: how much the model thinks",
    "profile": "Profile: what is allowed, asked or denied",
    "sandbox": "Sandbox, and when Codex asks",
}

_SANDBOXES = {
    Sandbox.READ_ONLY: "commands read files, and change nothing",
    Sandbox.WORKSPACE_WRITE: "commands change files in the workspace",
    Sandbox.FULL_ACCESS: "commands do all that you can do yourself",
}
_APPROVALS = {
    Approvals.UNTRUSTED: "Codex asks before what it does not know to be harmless",
    Approvals.ON_REQUEST: "Codex asks when it wants to leave the sandbox",
    Approvals.NEVER: "Codex never asks; what the sandbox forbids fails",
}


def picks_of(
    what: str, selected: Selected | None, models: Sequence[Model], profiles: Sequence[Profile]
) -> list[Pick]:
    """What `switch(what)` offers; `selected` is what holds now. A value is `FIELD=VALUE`, for `change_of`."""
    now = selected or Selected()
    match what:
        case "model":
            return [_model(model, now) for model in models]
        case "effort":
            return _efforts(models, now)
        case "profile":
            return [_profile(profile, now) for profile in profiles]
        case _:
            return [*_sandboxes(profiles, now), *_approvals(now)]


def change_of(value: str) -> Choices:
    """What a pick changes."""
    field, _, chosen = value.partition("=")
    return Choices.model_validate({field: chosen})


def _model(model: Model, now: Selected) -> Pick:
    words = " · ".join(part for part in (model.description, "Codex's default" * model.is_default) if part)
    return Pick(f"model={model.id}", model.name or model.id, words, model.id == now.model)


def _efforts(models: Sequence[Model], now: Selected) -> list[Pick]:
    model = next((model for model in models if model.id == now.model), None)
    if model is None:
        return []
    words = dict(zip(model.efforts, model.effort_words, strict=False))
    return [
        Pick(
            f"effort={effort}",
            effort,
            " · ".join(
                part
                for part in (words.get(effort, ""), "the model's own" * (effort == model.default_effort))
                if part
            ),
            effort == now.effort,
        )
        for effort in model.efforts
    ]


def _profile(profile: Profile, now: Selected) -> Pick:
    return Pick(f"profile={profile.id}", profile.id, profile.summary, profile.id == now.profile)


def _sandboxes(profiles: Sequence[Profile], now: Selected) -> list[Pick]:
    profile = next((profile for profile in profiles if profile.id == now.profile), None)
    return [
        Pick(
            f"sandbox={sandbox}",
            sandbox,
            words,
            sandbox == now.sandbox,
            "Sandbox",
            f"beyond the profile {profile.id}"
            if profile is not None and wider(sandbox, profile.sandbox_at_most)
            else "",
        )
        for sandbox, words in _SANDBOXES.items()
    ]


def _approvals(now: Selected) -> list[Pick]:
    return [
        Pick(f"approvals={approvals}", approvals, words, approvals == now.approvals, "Approvals")
        for approvals, words in _APPROVALS.items()
    ]
