"""What we ask of Codex in its own words: the parameters of calls about threads and turns."""

from __future__ import annotations

from pydantic import JsonValue
from pydantic_core import from_json

from core.agent.port import Sandbox, ThreadSpec, TurnInput, TurnOptions
from core.codex.protocol import threads as wire
from core.errors import InvalidRequest

SANDBOX_TYPES: dict[Sandbox, wire.SandboxType] = {
    Sandbox.READ_ONLY: "readOnly",
    Sandbox.WORKSPACE_WRITE: "workspaceWrite",
    Sandbox.FULL_ACCESS: "dangerFullAccess",
}


def start_params(spec: ThreadSpec) -> wire.ThreadStartParams:
    """Raises InvalidRequest where its JSON is none."""
    tools = tuple(
        wire.FunctionTool(
            name=tool.name,
            description=tool.description,
            input_schema=_json(tool.schema_json, f"the schema of the tool {tool.name}"),
        )
        for tool in spec.tools
    )
    return wire.ThreadStartParams(
        cwd=spec.cwd,
        sandbox=spec.sandbox,
        approval_policy=spec.approvals,
        model=spec.model,
        dynamic_tools=tools or None,
        config=_json_object(spec.config_json, "the settings of the thread"),
    )


def turn_params(thread_id: str, said: TurnInput, options: TurnOptions) -> wire.TurnStartParams:
    """Raises InvalidRequest where the schema of the answer is no JSON object."""
    return wire.TurnStartParams(
        thread_id=thread_id,
        input=_input(said),
        client_user_message_id=said.client_id,
        model=options.model,
        effort=options.effort,
        personality=options.personality,
        cwd=options.cwd,
        sandbox_policy=sandbox_policy(options.sandbox),
        approval_policy=options.approvals,
        output_schema=_json_object(options.schema_json, "the schema of the answer"),
    )


def steer_params(thread_id: str, turn_id: str, said: TurnInput) -> wire.TurnSteerParams:
    return wire.TurnSteerParams(
        thread_id=thread_id,
        expected_turn_id=turn_id,
        input=_input(said),
        client_user_message_id=said.client_id,
    )


def _input(said: TurnInput) -> tuple[wire.TextInput | wire.LocalImageInput, ...]:
    texts = tuple(wire.TextInput(text=text) for text in said.texts)
    return (*texts, *(wire.LocalImageInput(path=path) for path in said.images))


def sandbox_policy(sandbox: Sandbox | None) -> wire.SandboxPolicy | None:
    """In Codex's own words; None leaves it to Codex."""
    return None if sandbox is None else wire.SandboxPolicy(type=SANDBOX_TYPES[sandbox])


def _json(text: str, what: str) -> JsonValue:
    try:
        return from_json(text)
    except ValueError as error:
        raise InvalidRequest(f"Codex was not asked: {what} is not JSON", why=str(error)) from error


def _json_object(text: str | None, what: str) -> dict[str, JsonValue] | None:
    if text is None:
        return None
    value = _json(text, what)
    if not isinstance(value, dict):
        raise InvalidRequest(f"Codex was not asked: {what} is no JSON object")
    return value
