"""What "no" is to each kind of request. Pure."""

from __future__ import annotations

from core.agent.requests import (
    Answer,
    CommandApproval,
    Decide,
    Elicited,
    FileApproval,
    Grant,
    McpForm,
    McpLink,
    PermissionsApproval,
    Question,
    Reply,
    Request,
)


def refusal(request: Request) -> Answer | None:
    """The answer that grants nothing and lets the turn go on; None where this version cannot answer."""
    match request:
        case CommandApproval() | FileApproval():
            declining = (choice for choice in request.choices if choice.verb == "decline")
            return next((Decide(choice=choice) for choice in declining), None)
        case PermissionsApproval():
            return Grant()
        case Question():
            return Reply(answers={})
        case McpForm() | McpLink():
            return Elicited(action="decline")
        case _:
            return None


def subject(request: Request) -> str:
    """What it is about, in a few words."""
    match request:
        case CommandApproval():
            return f"the command {request.command}"
        case FileApproval():
            return f"changes to {', '.join(change.path for change in request.changes) or 'files'}"
        case PermissionsApproval():
            return f"the rights {', '.join(right.label for right in request.rights)}"
        case Question():
            return f"the question {request.parts[0].text}" if request.parts else "a question"
        case McpForm() | McpLink():
            return f"{request.server}: {request.message}"
        case _:
            return f"a {request.kind} request"
