"""A tiny MCP server over stdio, so that the demo has an MCP tool to call. Standard library alone.

Run as a file of its own (Codex starts it), so it imports nothing of Quarterdeck.
"""

from __future__ import annotations

import json
import sys
from typing import Any

_TOOLS: list[dict[str, Any]] = [
    {
        "name": "tide",
        "description": "Tell the tide at a harbour.",
        "inputSchema": {
            "type": "object",
            "properties": {"harbour": {"type": "string"}},
            "required": ["harbour"],
        },
    },
]


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """The result of a request; None if the method is unknown."""
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "demo", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": _TOOLS}
    if method == "tools/call":
        harbour = params.get("arguments", {}).get("harbour", "nowhere")
        return {"content": [{"type": "text", "text": f"High water at {harbour} is at noon."}]}
    if method == "ping":
        return {}
    return None


def main() -> None:
    """Answer line by line until stdin ends."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        result = answer(message["method"], message.get("params") or {})
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        if result is None:
            reply["error"] = {"code": -32601, "message": f"Method not found: {message['method']}"}
        else:
            reply["result"] = result
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
