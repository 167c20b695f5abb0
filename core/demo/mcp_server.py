"""A harbour office as an MCP server over stdio, so that Codex has MCP tools to call. Standard library alone.

Codex runs it as a file of its own, so it imports nothing of Quarterdeck. Each tool makes Codex ask something
else of a person: `tide` only whether it may run, `book_berth` a form, `open_chart` a link.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

_HARBOUR: Json = {"type": "object", "properties": {"harbour": {"type": "string"}}, "required": ["harbour"]}

TOOLS: list[Json] = [
    {"name": "tide", "description": "Tell the tide at a harbour.", "inputSchema": _HARBOUR},
    {"name": "book_berth", "description": "Book a berth; asks for the details.", "inputSchema": _HARBOUR},
    {"name": "open_chart", "description": "Show the chart of a harbour.", "inputSchema": _HARBOUR},
]

BERTH_FORM: Json = {
    "type": "object",
    "properties": {
        "ship": {"type": "string", "title": "Ship", "description": "Her name", "minLength": 1},
        "length": {
            "type": "integer",
            "title": "Length",
            "description": "In metres",
            "minimum": 1,
            "maximum": 400,
        },
        "side": {"type": "string", "title": "Side to the quay", "enum": ["port", "starboard"]},
        "power": {"type": "boolean", "title": "Shore power", "default": True},
    },
    "required": ["ship", "length"],
}


class Office:
    """Answers one client. `lines` is what it says, one JSON message a line."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._asked = 0

    def run(self) -> None:
        """Until the client goes away."""
        for line in self._lines:
            self._handle(json.loads(line))

    def _handle(self, message: Json) -> None:
        if "method" not in message or "id" not in message:
            return
        try:
            result = self._answer(message["method"], message.get("params") or {})
        except LookupError as error:
            _send({"id": message["id"], "error": {"code": -32601, "message": f"Unknown: {error}"}})
        else:
            _send({"id": message["id"], "result": result})

    def _answer(self, method: str, params: Json) -> Json:
        match method:
            case "initialize":
                return {
                    "protocolVersion": params["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "harbour office", "version": "1"},
                }
            case "tools/list":
                return {"tools": TOOLS}
            case "tools/call":
                text = self._call(params["name"], params["arguments"]["harbour"])
                return {"content": [{"type": "text", "text": text}]}
            case "ping":
                return {}
            case _:
                raise LookupError(method)

    def _call(self, tool: str, harbour: str) -> str:
        match tool:
            case "tide":
                return f"High water at {harbour} is at noon."
            case "book_berth":
                form = {"mode": "form", "message": f"A berth at {harbour}", "requestedSchema": BERTH_FORM}
                reply = self._elicit(form)
                return f"{reply.get('action')}: {json.dumps(reply.get('content'))}"
            case "open_chart":
                url = f"https://charts.example/{harbour}"
                link = {
                    "mode": "url",
                    "message": "The chart is on the web",
                    "url": url,
                    "elicitationId": harbour,
                }
                return str(self._elicit(link).get("action"))
            case _:
                raise LookupError(tool)

    def _elicit(self, params: Json) -> Json:
        """Ask the client, and go on serving it until it has answered. `{}` if it cannot."""
        self._asked += 1
        mine = f"elicitation-{self._asked}"
        _send({"id": mine, "method": "elicitation/create", "params": params})
        for line in self._lines:
            message = json.loads(line)
            if message.get("id") == mine and "method" not in message:
                return message.get("result", {"action": f"failed, {message.get('error')}"})
            self._handle(message)
        return {}


def _send(message: Json) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    Office(iter(sys.stdin)).run()
