"""Which prompt shows which kind of request."""

from __future__ import annotations

from typing import Any

from core.conversation.feed import Notification
from tui.prompts.command import CommandPrompt
from tui.prompts.file_change import FilePrompt
from tui.prompts.mcp_form import FormPrompt
from tui.prompts.mcp_link import LinkPrompt
from tui.prompts.other import OtherPrompt
from tui.prompts.permissions import PermissionsPrompt
from tui.prompts.prompt import Prompt
from tui.prompts.question import QuestionPrompt
from tui.prompts.tool import ToolPrompt

_KINDS: dict[str, type[Prompt[Any]]] = {
    "command": CommandPrompt,
    "file_change": FilePrompt,
    "permissions": PermissionsPrompt,
    "question": QuestionPrompt,
    "mcp_form": FormPrompt,
    "mcp_link": LinkPrompt,
    "tool": ToolPrompt,
}


def prompt_for(notification: Notification) -> Prompt[Any]:
    """A prompt for it. A kind that is not known here is shown, and can only be left."""
    return _KINDS.get(notification.request.kind, OtherPrompt)(notification)
