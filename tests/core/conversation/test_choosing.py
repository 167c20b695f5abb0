"""What may be chosen, and what the next turn has to say of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.access.policy import AccessPolicy, wider
from core.agent.events import RunSettings
from core.agent.port import Approvals, Model, Sandbox, TurnOptions
from core.conversation.choosing import Selector
from core.conversation.workspace import Choices, Defaults, ExecutionPolicy, Workspace
from core.errors import InvalidRequest, Unauthorized

BIG = Model("big", "Big", "", ("low", "high"), "low", is_default=True)
SMALL = Model("small", "Small", "", ("low",), "low", is_default=False)
MODELS = (BIG, SMALL)
USED = RunSettings("big", "high", "workspace-write", "on-request")


def selector(**choices: object) -> Selector:
    workspace = Workspace("w", Path("/pier"), 1, Defaults(), ExecutionPolicy())
    return Selector(workspace, AccessPolicy.shipped(), Choices(**choices)).heard(USED)  # type: ignore[arg-type]


def test_what_codex_uses_is_what_is_shown_until_something_is_chosen() -> None:
    shown = selector().selected
    assert (shown.model, shown.effort, shown.sandbox, shown.approvals) == (
        "big",
        "high",
        "workspace-write",
        "on-request",
    )
    assert not shown.coming


def test_a_choice_is_shown_at_once_and_said_with_the_next_turn_only() -> None:
    chosen = selector().choose(Choices(effort="low"), MODELS)
    assert (chosen.selected.effort, chosen.selected.coming) == ("low", {"effort"})
    assert chosen.options() == TurnOptions(effort="low")
    begun = chosen.heard(RunSettings("big", "low", "workspace-write", "on-request"))
    assert (begun.options(), begun.selected.coming) == (TurnOptions(), frozenset())


def test_a_model_that_codex_does_not_have_is_refused_with_what_there_is() -> None:
    with pytest.raises(InvalidRequest, match="big, small"):
        selector().choose(Choices(model="huge"), MODELS)


def test_an_effort_gives_way_to_another_model_but_not_to_a_wish() -> None:
    assert selector().choose(Choices(model="small"), MODELS).effort == "low"
    with pytest.raises(InvalidRequest, match="small does not think with effort high"):
        selector(model="small").choose(Choices(effort="high"), MODELS)


def test_a_sandbox_wider_than_the_profile_is_refused_with_the_reason() -> None:
    with pytest.raises(Unauthorized, match="goes no wider than read-only"):
        selector(profile="observer").choose(Choices(sandbox=Sandbox.FULL_ACCESS), ())
    with pytest.raises(Unauthorized, match="There is no profile named pirate"):
        selector().choose(Choices(profile="pirate"), ())


def test_a_narrower_profile_narrows_the_sandbox_that_was_left_to_codex() -> None:
    chosen = selector().choose(Choices(profile="observer"), ())
    assert chosen.selected.sandbox == "read-only"
    assert chosen.options() == TurnOptions(sandbox=Sandbox.READ_ONLY)


def test_what_a_run_is_authorized_for_is_the_sandbox_that_it_gets() -> None:
    assert selector().context.sandbox is Sandbox.WORKSPACE_WRITE
    assert selector(profile="observer").context.sandbox is Sandbox.READ_ONLY
    assert selector(sandbox=Sandbox.READ_ONLY).context.sandbox is Sandbox.READ_ONLY


def test_a_profile_that_only_looks_says_so_before_codex_said_anything() -> None:
    """A thread that begins, and a command that a person runs herself before there is one, have it at once."""
    workspace = Workspace("w", Path("/pier"), 1, Defaults(), ExecutionPolicy())
    unknown = Selector(workspace, AccessPolicy.shipped(), Choices(profile="observer"))
    assert unknown.sandbox is Sandbox.READ_ONLY
    assert unknown.selected.sandbox == "read-only"
    wide = Selector(workspace, AccessPolicy.shipped(), Choices(profile="autopilot"))
    assert wide.sandbox is None, "what Codex would do itself may be narrower"


@pytest.mark.parametrize("told", ["external-sandbox", None])
def test_a_sandbox_that_is_not_known_counts_as_the_widest(told: str | None) -> None:
    unknown = RunSettings("big", "high", told, "on-request")
    assert selector().heard(unknown).context.sandbox is Sandbox.FULL_ACCESS
    narrow = selector(profile="observer").heard(unknown)
    assert narrow.context.sandbox is Sandbox.READ_ONLY
    assert narrow.options().sandbox is Sandbox.READ_ONLY


def test_what_a_message_asks_for_goes_along_with_the_sandbox_of_the_conversation() -> None:
    chosen = selector(profile="observer", effort="low")
    asked = TurnOptions(model="small", schema_json="{}", sandbox=Sandbox.FULL_ACCESS)
    assert chosen.options(asked) == TurnOptions(model="small", schema_json="{}", sandbox=Sandbox.READ_ONLY)


def test_a_sandbox_that_was_chosen_is_not_narrowed_behind_ones_back() -> None:
    with pytest.raises(Unauthorized):
        selector(sandbox=Sandbox.WORKSPACE_WRITE).choose(Choices(profile="observer"), ())


def test_what_another_client_sets_later_is_the_choice_from_then_on() -> None:
    chosen = selector().choose(Choices(model="small"), MODELS)
    assert chosen.heard(USED).model == "small", "not in force yet: it still holds"
    in_force = chosen.heard(RunSettings("small", "low", None, None))
    assert in_force.heard(USED).model == "big"


def test_after_a_resume_the_sandbox_that_codex_forgot_is_said_again() -> None:
    chosen = selector(sandbox=Sandbox.WORKSPACE_WRITE)
    resumed = chosen.heard(RunSettings("big", "high", "read-only", "on-request"))
    assert resumed.options() == TurnOptions(sandbox=Sandbox.WORKSPACE_WRITE)


CHANGES = st.builds(
    Choices,
    model=st.sampled_from([None, "big", "small", "huge"]),
    effort=st.sampled_from([None, "low", "high"]),
    profile=st.sampled_from([None, "observer", "operator", "autopilot"]),
    sandbox=st.sampled_from([None, *Sandbox]),
    approvals=st.sampled_from([None, *Approvals]),
)
TOLD = st.builds(
    RunSettings,
    model=st.sampled_from(["big", "small"]),
    effort=st.sampled_from([None, "low", "high"]),
    sandbox=st.sampled_from([None, "external-sandbox", *map(str, Sandbox)]),
    approvals=st.sampled_from([None, "never", "granular"]),
)


@given(st.lists(st.one_of(CHANGES, TOLD), max_size=12))
def test_whatever_is_chosen_and_told_no_turn_begins_wider_than_the_profile(
    steps: list[Choices | RunSettings],
) -> None:
    now = selector()
    for step in steps:
        if isinstance(step, RunSettings):
            now = now.heard(step)
            continue
        try:
            now = now.choose(step, MODELS)
        except (InvalidRequest, Unauthorized):
            continue
        asked = now.options(TurnOptions(model="big", sandbox=Sandbox.FULL_ACCESS)).sandbox
        used = now.used.sandbox if now.used else None
        effective = asked or (Sandbox(used) if used in set(Sandbox) else Sandbox.FULL_ACCESS)
        limit = now.policy.profiles[now.profile].sandbox_at_most
        assert not wider(effective, limit)
        assert now.context.sandbox is effective
