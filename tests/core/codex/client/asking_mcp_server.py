"""An MCP server over stdio whose one tool asks the person for a colour. Standard library alone."""

from __future__ import annotations

import json
import sys
from typing import Any

TOOL = {
    "name": "colour",
    "description": "Ask for a colour.",
    "inputSchema": {"type": "object", "properties": {}},
}
FORM = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "blue"]}},
    "required": ["colour"],
}


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "asking", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        asked = {"message": "Which colour?", "requestedSchema": FORM}
        send({"id": "ask", "method": "elicitation/create", "params": asked})
        answer = json.loads(sys.stdin.readline())
        return {"content": [{"type": "text", "text": json.dumps(answer.get("result"))}]}
    return {}


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            send({"id": message["id"], "result": result_of(message["method"], message.get("params") or {})})
