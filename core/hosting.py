"""The host from outside a console: how to reach it, what it does, and its end on a person's word."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

from core.codex.farewell import stop_host
from core.codex.options import Command, ControlSocket, HostOptions, Mode, PrivateChild, Remote, SocketPath
from core.codex.status import HostStatus
from core.codex.status import host_status as read_status
from core.errors import SettingsError
from core.settings import HostSettings, Settings

T = TypeVar("T")

NONE_RUNS = "No Codex host runs here."


async def host_status(settings: Settings) -> str:
    """For `quarterdeck host status`: what the host that runs does, for a person. Raises CodexError."""
    status = await read_status(host_options(settings))
    return NONE_RUNS if status is None else _described(status)


async def host_stop(settings: Settings, force: bool = False) -> str:
    """For `quarterdeck host stop`. Raises Conflict where it is still needed and `force` is not given."""
    status = await stop_host(host_options(settings), force=force)
    return NONE_RUNS if status is None else f"Ended the Codex host (process {status.pid})."


def _described(status: HostStatus) -> str:
    process = f"process {status.pid}" if status.pid else "on another machine"
    lines = [
        f"Codex {status.version}, {process}" + (", started by Quarterdeck" if status.started_by_us else ""),
        f"turns running: {status.active_turns}",
        f"requests waiting for a decision: {status.pending_requests}",
        f"threads in memory: {len(status.loaded)}",
    ]
    if status.socket is not None:
        lines.append(f"socket: {status.socket}")
    if status.background:
        lines.append(f"background commands: {len(status.background)}")
    if status.others is not None:
        lines.append(f"programs connected: {status.others}")
    return "\n".join(lines)


def host_options(settings: Settings) -> HostOptions:
    """How to reach Codex, from the settings. Raises SettingsError where the mode lacks what it needs."""
    host = settings.host
    home = host.codex_home or Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")
    return HostOptions(
        codex_home=home.expanduser(),
        state_dir=settings.data_dir,
        mode=_mode(host),
        binary=host.codex,
    )


def local_home(settings: Settings) -> Path | None:
    """The CODEX_HOME, where its files are surely on this machine; None for a host somewhere else."""
    local = settings.host.mode in ("control-socket", "stdio")
    return host_options(settings).codex_home if local else None


def _mode(host: HostSettings) -> Mode:
    match host.mode:
        case "control-socket":
            return ControlSocket()
        case "stdio":
            return PrivateChild()
        case "socket":
            return SocketPath(_needed(host.socket, "socket"))
        case "websocket":
            return Remote(_needed(host.url, "url"), host.token)
        case "command":
            return Command(_needed(host.command or None, "command"))


def _needed(value: T | None, key: str) -> T:
    if value is None:
        raise SettingsError(
            f"The host mode needs host.{key}",
            why="it is not set",
            todo=f"Set {key} under [host] in config.toml.",
        )
    return value
