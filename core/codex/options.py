"""How to reach Codex, as one frozen value. Light: imported before the first paint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ControlSocket:
    """Codex's own control socket under `codex_home`: attach to who listens there, else start a host."""


@dataclass(frozen=True, slots=True)
class PrivateChild:
    """A private `codex app-server` on stdio, which ends with us."""


@dataclass(frozen=True, slots=True)
class SocketPath:
    """Attach to a unix socket that somebody else listens at. Never starts a host."""

    path: Path


@dataclass(frozen=True, slots=True)
class Remote:
    """Attach to `ws://` or `wss://`, with a capability token if one is set. Never starts a host."""

    url: str
    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Command:
    """Any command that speaks JSON lines on its stdin and stdout, such as `ssh box codex app-server`."""

    argv: tuple[str, ...]


Mode = ControlSocket | PrivateChild | SocketPath | Remote | Command


@dataclass(frozen=True, slots=True)
class HostOptions:
    """`codex_home` is Codex's CODEX_HOME; `state_dir` a folder of ours for the start lock, the note on who
    started the host, and its log. `binary` overrides the search for a Codex. `env` is added to the
    environment of what we start.
    """

    codex_home: Path
    state_dir: Path
    mode: Mode = ControlSocket()
    binary: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str])
