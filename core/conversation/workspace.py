"""A workspace as a conversation sees it: a folder, its defaults, what may be executed in it.

Both are kept as JSON in the store under a revision that goes up with each change; a handle opened at an
older revision is stale (seed 002, `current`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from core.agent.items import Frozen
from core.agent.port import Approvals, Sandbox
from core.errors import InvalidRequest, InvalidState, NotFound


class Defaults(Frozen):
    """What a request may leave unsaid. None leaves it to the next level: conversation > workspace > Codex."""

    model: str | None = None
    effort: str | None = None
    personality: str | None = None
    profile: str | None = None


class Choices(Defaults):
    """What a person chose for one conversation. None leaves it to the workspace."""

    sandbox: Sandbox | None = None
    approvals: Approvals | None = None

    @classmethod
    def parse(cls, text: str) -> Choices:
        """From what the store keeps. Raises InvalidState for anything else."""
        try:
            return cls.model_validate_json(text)
        except ValueError as error:
            raise InvalidState(
                "What was chosen for this conversation cannot be read",
                why=str(error),
                todo="Run `quarterdeck doctor`.",
            ) from error


class ExecutionPolicy(Frozen):
    """None leaves it to Codex's own settings."""

    sandbox: Sandbox | None = None
    approvals: Approvals | None = None


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace at a revision."""

    id: str
    path: Path
    revision: int
    defaults: Defaults
    policy: ExecutionPolicy

    @classmethod
    def parse(cls, workspace_id: str, path: str, revision: int, defaults: str, policy: str) -> Workspace:
        """From what the store keeps. Raises InvalidState for JSON that is not of these models."""
        try:
            return cls(
                workspace_id,
                Path(path),
                revision,
                Defaults.model_validate_json(defaults),
                ExecutionPolicy.model_validate_json(policy),
            )
        except ValueError as error:
            raise InvalidState(
                f"The settings of the workspace {path} cannot be read",
                why=str(error),
                todo="Run `quarterdeck doctor`.",
            ) from error

    def resolve(self, path: Path) -> tuple[Path, Path]:
        """(relative, absolute) of a path inside the workspace.

        Raises InvalidRequest for an absolute path or one that leads out, by `..` or by a link; NotFound
        where nothing is there.
        """
        if path.is_absolute():
            raise InvalidRequest(f"{path} is an absolute path", todo="Give a path inside the workspace.")
        root = self.path.resolve()
        try:
            absolute = (root / path).resolve(strict=True)
        except FileNotFoundError as error:
            self._require_inside(root, Path(os.path.normpath(root / path)), path)
            raise NotFound(f"{path} is not in the workspace", todo="Check its name.") from error
        except (OSError, RuntimeError) as error:
            raise InvalidRequest(f"{path} cannot be followed", why=str(error)) from error
        self._require_inside(root, absolute, path)
        return absolute.relative_to(root), absolute

    def _require_inside(self, root: Path, absolute: Path, given: Path) -> None:
        if not absolute.is_relative_to(root):
            raise InvalidRequest(
                f"{given} leads out of the workspace", why=f"the workspace is {root}", todo="Stay inside it."
            )
