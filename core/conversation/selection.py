"""Which model, effort and personality a prompt runs with. Pure.

Request > conversation > workspace > the previous prompt's > Codex's default (DESIGN, selection.py),
checked against the list that Codex itself gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.agent.items import Frozen
from core.agent.port import Model
from core.conversation.workspace import Defaults
from core.errors import InvalidRequest

PERSONALITIES = ("none", "friendly", "pragmatic")
"""Codex's own (its schema, Personality)."""


class Selection(Frozen):
    """What a prompt runs with; None where Codex's own default holds."""

    model: str | None = None
    effort: str | None = None
    personality: str | None = None


def resolve_selection(
    request: Defaults,
    conversation: Defaults,
    workspace: Defaults,
    previous: Selection | None,
    models: Sequence[Model],
) -> Selection:
    """The selection for the next prompt. Raises InvalidRequest naming what there is.

    An effort that was not asked for by name and that the model does not support gives way to the model's
    own default; one that was asked for is an error.
    """
    levels = (request, conversation, workspace)
    asked_model = _first(level.model for level in levels)
    asked_effort = _first(level.effort for level in levels)
    asked_personality = _first(level.personality for level in levels)
    model_name = asked_model or (previous.model if previous else None)
    model = _find(model_name, models)
    if asked_model is not None and model is None and models:
        known = ", ".join(model.id for model in models)
        raise InvalidRequest(f"Codex has no model {asked_model}", todo=f"Choose one of {known}.")
    return Selection(
        model=model_name if model is not None or not models else None,
        effort=_effort(asked_effort, previous, model),
        personality=_personality(asked_personality, previous),
    )


def _effort(asked: str | None, previous: Selection | None, model: Model | None) -> str | None:
    supported = model.efforts if model is not None else ()
    if asked is not None:
        if supported and asked not in supported and model is not None:
            raise InvalidRequest(
                f"The model {model.id} does not think with effort {asked}",
                todo=f"Choose one of {', '.join(supported)}.",
            )
        return asked
    before = previous.effort if previous else None
    return before if before is None or not supported or before in supported else None


def _personality(asked: str | None, previous: Selection | None) -> str | None:
    if asked is not None and asked not in PERSONALITIES:
        raise InvalidRequest(
            f"Codex has no personality {asked}", todo=f"Choose one of {', '.join(PERSONALITIES)}."
        )
    return asked if asked is not None else (previous.personality if previous else None)


def _find(name: str | None, models: Sequence[Model]) -> Model | None:
    if name is None:
        return next((model for model in models if model.is_default), None)
    return next((model for model in models if model.id == name), None)


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value is not None), None)
