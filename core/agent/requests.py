"""What Codex waits on a person (or a rule, or a tool of ours) for, and the answers.

A request is everything that is needed to judge it (DESIGN, Deciding): the joined diff of a file change
is filled in before anyone is shown it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from core.agent.items import Change, Frozen


class RequestKey(Frozen):
    """Ids restart at 0 in every host process (PROTOCOL, Framing): the generation tells them apart."""

    generation: str
    id: int | str


class Choice(Frozen):
    """One decision that the request offers.

    `verb` is accept, accept_session, accept_rule, network_rule, decline or cancel; anything else is a
    decision this version does not know: shown, never taken. `raw` is the JSON that is sent back.
    """

    verb: str
    label: str
    raw: str


class _Asked(Frozen):
    key: RequestKey
    thread_id: str
    turn_id: str | None
    item_id: str
    asked_at_ms: int = 0


class Right(Frozen):
    """One right beyond the sandbox that is asked for. `raw` is the subset of Codex's JSON that grants it.

    `to` is what it lets happen; "other" where this version cannot tell, which may be anything.
    """

    label: str
    raw: str
    to: Literal["network", "read", "write", "other"] = "other"


class CommandApproval(_Asked):
    """`stdin` is set when Codex wants to write to a running command instead of starting one.

    `rights` are what the command would get beyond the sandbox; accepting it grants them all.
    """

    kind: Literal["command"] = "command"
    command: str
    cwd: str
    reason: str | None = None
    stdin: bool = False
    network_host: str | None = None
    proposed_rule: tuple[str, ...] = ()
    rights: tuple[Right, ...] = ()
    choices: tuple[Choice, ...]


class FileApproval(_Asked):
    kind: Literal["file_change"] = "file_change"
    changes: tuple[Change, ...] = ()
    reason: str | None = None
    grant_root: str | None = None
    choices: tuple[Choice, ...]


class PermissionsApproval(_Asked):
    kind: Literal["permissions"] = "permissions"
    cwd: str
    rights: tuple[Right, ...]
    reason: str | None = None


class Option(Frozen):
    label: str
    description: str = ""


class QuestionPart(Frozen):
    id: str
    header: str
    text: str
    options: tuple[Option, ...] = ()
    other: bool = False
    secret: bool = False


class Question(_Asked):
    kind: Literal["question"] = "question"
    parts: tuple[QuestionPart, ...]
    blocking: bool = True


class McpForm(_Asked):
    """`form_json` is the form's JSON schema; `persist` lists what an accept may be kept for.

    `arguments` is set where it asks whether an MCP tool may be called: the call's, as JSON text.
    """

    kind: Literal["mcp_form"] = "mcp_form"
    server: str
    message: str
    form_json: str
    approval_kind: str | None = None
    persist: tuple[str, ...] = ()
    arguments: str | None = None


class McpLink(_Asked):
    kind: Literal["mcp_link"] = "mcp_link"
    server: str
    message: str
    url: str


class ToolRequest(_Asked):
    """A dynamic tool of ours is called; `arguments` is JSON text.

    As Codex raises it, it is answered with the tool's result. With `choices` it is our own question whether
    the call may run, where the profile or a rule says ask.
    """

    kind: Literal["tool"] = "tool"
    tool: str
    arguments: str
    choices: tuple[Choice, ...] = ()


class OtherRequest(_Asked):
    """A request this version cannot answer: shown, and left for another client."""

    kind: Literal["other"] = "other"
    method: str
    raw: str


Request = Annotated[
    CommandApproval
    | FileApproval
    | PermissionsApproval
    | Question
    | McpForm
    | McpLink
    | ToolRequest
    | OtherRequest,
    Field(discriminator="kind"),
]

_REQUEST: TypeAdapter[Request] = TypeAdapter(Request)


class _Given(Frozen):
    """What a person or a rule gives. `message` is said to Codex besides, as a message of its own."""

    message: str = ""


class Decide(_Given):
    """The answer to a command or file change: one of the choices that were offered."""

    kind: Literal["decide"] = "decide"
    choice: Choice


class Grant(_Given):
    """The answer to a permissions request. No rights means none granted."""

    kind: Literal["grant"] = "grant"
    rights: tuple[Right, ...] = ()
    scope: Literal["turn", "session"] = "turn"


class Reply(_Given):
    """The answer to a question: question id -> chosen labels and free text."""

    kind: Literal["reply"] = "reply"
    answers: dict[str, tuple[str, ...]]


class Elicited(_Given):
    """The answer to an MCP form or link. `content_json` only with accept; `persist` as offered."""

    kind: Literal["elicited"] = "elicited"
    action: Literal["accept", "decline", "cancel"]
    content_json: str | None = None
    persist: str | None = None


class ToolResult(Frozen):
    """The answer to a dynamic tool call."""

    kind: Literal["tool_result"] = "tool_result"
    success: bool
    text: str


Answer = Annotated[Decide | Grant | Reply | Elicited | ToolResult, Field(discriminator="kind")]

_ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)


def dump_request(request: Request) -> str:
    """The request as JSON text."""
    return request.model_dump_json()


def load_request(text: str) -> Request:
    """The request from JSON text. Raises ValueError for anything else."""
    return _REQUEST.validate_json(text)


def dump_answer(answer: Answer) -> str:
    """The answer as JSON text."""
    return answer.model_dump_json()


def load_answer(text: str) -> Answer:
    """The answer from JSON text. Raises ValueError for anything else."""
    return _ANSWER.validate_json(text)
