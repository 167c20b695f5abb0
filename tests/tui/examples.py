"""One request of each kind that Codex can make, as notifications."""

from __future__ import annotations

import json
from dataclasses import replace

from core.agent.items import Change
from core.agent.requests import (
    Choice,
    CommandApproval,
    FileApproval,
    McpForm,
    McpLink,
    Option,
    OtherRequest,
    PermissionsApproval,
    Question,
    QuestionPart,
    Request,
    RequestKey,
    Right,
    ToolRequest,
)
from core.conversation.feed import Notification, NotificationState

ASKED = {"thread_id": "thread", "turn_id": "turn", "item_id": "item"}
CHOICES = (
    Choice(verb="accept", label="Accept", raw='"accept"'),
    Choice(verb="accept_session", label="Accept for this session", raw='"acceptForSession"'),
    Choice(verb="decline", label="Decline, and let the turn go on", raw='"decline"'),
    Choice(verb="cancel", label="Decline, and end the turn", raw='"cancel"'),
)
RULE = Choice(
    verb="accept_rule",
    label="Accept, and always allow commands that begin with git push",
    raw='{"acceptWithExecpolicyAmendment": {"execpolicy_amendment": ["git", "push"]}}',
)
UNKNOWN = Choice(verb="other", label="acceptOnTuesdays", raw='"acceptOnTuesdays"')

DIFF = """@@ -1,4 +1,5 @@
 GREETINGS = [
     "hello",
+    "ahoy",
 ]
-
"""


def key(number: int = 0) -> RequestKey:
    return RequestKey(generation="g", id=number)


def notified(request: Request, number: int = 1, **changes: object) -> Notification:
    notification = Notification(number, "c", request, raised_at_ms=0, shown_hash=f"hash-{number}")
    return replace(notification, **changes)


def settled_elsewhere(notification: Notification) -> Notification:
    """As it is after somebody else answered it."""
    outcome = "answered in another program"
    return replace(notification, state=NotificationState.WITHDRAWN, outcome=outcome)


COMMAND = CommandApproval(
    key=key(),
    **ASKED,
    command="/bin/bash -lc 'git push origin main'",
    cwd="/home/dev/harbour",
    reason="The branch is ready; may I push it?",
    choices=(CHOICES[0], RULE, CHOICES[2], CHOICES[3]),
)
LONG_COMMAND = COMMAND.model_copy(
    update={"command": "printf '%s' " + " ".join(f"part-{number:04d}" for number in range(400))}
)
STDIN = COMMAND.model_copy(update={"stdin": True, "command": "yes\n", "reason": None, "choices": CHOICES})
FILES = FileApproval(
    key=key(),
    **ASKED,
    changes=(
        Change(path="greet.py", verb="update", diff=DIFF),
        Change(path="harbour/ropes.md", verb="add", diff="# Ropes\n\nCoil them.\n"),
        Change(path="old.txt", verb="delete", diff="gone\n"),
    ),
    reason="Adds a greeting.",
    choices=CHOICES,
)
PERMISSIONS = PermissionsApproval(
    key=key(),
    **ASKED,
    cwd="/home/dev/harbour",
    rights=(
        Right(label="use the network", raw='{"network": {"enabled": true}}'),
        Right(label="write below /var/log", raw='{"file_system": {"write": ["/var/log"]}}'),
    ),
    reason="The script needs more than the sandbox gives.",
)
QUESTION = Question(
    key=key(),
    **ASKED,
    parts=(
        QuestionPart(
            id="berth",
            header="Berth",
            text="Which berth shall the boat take?",
            options=(
                Option(label="North", description="sheltered, far from the office"),
                Option(label="South", description="windy, next to the crane"),
            ),
            other=True,
        ),
        QuestionPart(id="code", header="", text="What is the gate code?", secret=True),
    ),
)
FORM = McpForm(
    key=key(),
    **ASKED,
    server="harbour",
    message="Please register the boat.",
    form_json=json.dumps(
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "title": "Name", "minLength": 2},
                "length": {"type": "number", "title": "Length", "description": "in metres", "minimum": 1},
                "kind": {"type": "string", "enum": ["sail", "motor"], "enumNames": ["Sailing", "Motor"]},
                "insured": {"type": "boolean", "title": "Insured", "default": True},
            },
            "required": ["name", "kind"],
        }
    ),
)
TOOL_FORM = McpForm(
    key=key(),
    **ASKED,
    server="harbour",
    message='Allow the harbour MCP server to run tool "moor"?',
    form_json='{"type": "object", "properties": {}}',
    approval_kind="mcp_tool_call",
    persist=("session", "always"),
)
LINK = McpLink(
    key=key(),
    **ASKED,
    server="harbour",
    message="Sign the papers on this page.",
    url="https://harbour.example/papers?boat=7",
)
TOOL = ToolRequest(
    key=key(),
    thread_id="",
    turn_id=None,
    item_id="",
    tool="weigh_anchor",
    arguments='{"boat": "Ida", "slowly": true}',
    choices=(CHOICES[0], CHOICES[2]),
)
OTHER = OtherRequest(key=key(), **ASKED, method="item/tide/requestForecast", raw='{"hours": 12}')

KINDS: dict[str, Request] = {
    "command": COMMAND,
    "long_command": LONG_COMMAND,
    "stdin": STDIN,
    "files": FILES,
    "permissions": PERMISSIONS,
    "question": QUESTION,
    "form": FORM,
    "tool_form": TOOL_FORM,
    "link": LINK,
    "tool": TOOL,
    "other": OTHER,
}
