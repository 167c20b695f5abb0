"""The settings of a scratch CODEX_HOME: `config.toml` and the catalog of its only model."""

from __future__ import annotations

import json
import sys
from pathlib import Path

MODEL = "scripted"

MCP_SERVER = "demo"
"""The MCP server that every scratch has; its tools are in `core.demo.mcp_server`."""


def config_toml(base_url: str, catalog: Path, project: Path) -> str:
    """Codex's settings: the scripted provider, and each feature that makes Codex ask a person something.

    PROTOCOL, Requests from the server. Nothing here goes to the network but to `base_url`.
    """
    mcp_server = Path(__file__).with_name("mcp_server.py")
    return f"""\
model = {_toml(MODEL)}
model_provider = "scripted"
model_catalog_json = {_toml(str(catalog))}
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
suppress_unstable_features_warning = true

[features]
default_mode_request_user_input = true
request_permissions_tool = true
exec_permission_approvals = true
apps = false
plugins = false
remote_plugin = false

[tools.update_plan]
enabled = true

[analytics]
enabled = false

[model_providers.scripted]
name = "Scripted model"
base_url = {_toml(base_url)}
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[mcp_servers.{MCP_SERVER}]
command = {_toml(sys.executable)}
args = ["-I", "-S", {_toml(str(mcp_server))}]

[projects.{_toml(str(project))}]
trust_level = "trusted"
"""


def model_catalog() -> str:
    """Codex's own list of models has no scripted one, and it warns on each turn of a model it does not know."""
    efforts = {
        "low": "Follows the script",
        "medium": "Follows the script",
        "high": "Still follows the script",
    }
    model = {
        "slug": MODEL,
        "display_name": "Scripted model",
        "description": "Offline: does what the message says.",
        "base_instructions": "Follow the script.",
        "default_reasoning_level": "medium",
        "supported_reasoning_levels": [
            {"effort": effort, "description": description} for effort, description in efforts.items()
        ],
        "supports_reasoning_summaries": True,
        "supports_parallel_tool_calls": True,
        "support_verbosity": False,
        "default_verbosity": None,
        "shell_type": "unified_exec",
        "apply_patch_tool_type": None,
        "experimental_supported_tools": ["clock"],
        "input_modalities": ["text", "image"],
        "truncation_policy": {"mode": "tokens", "limit": 10_000},
        "context_window": 272_000,
        "visibility": "list",
        "supported_in_api": True,
        "priority": 1,
        "upgrade": None,
        "availability_nux": None,
    }
    return json.dumps({"models": [model]}, indent=1)


def _toml(text: str) -> str:
    """A TOML basic string: JSON's escapes are all valid in it."""
    return json.dumps(text)
