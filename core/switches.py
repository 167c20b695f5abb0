"""What a conversation can be switched to, and what one that does not exist yet would begin with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from core.access.policy import AccessPolicy, Profile
from core.agent.events import RunSettings
from core.agent.port import Agent, Model
from core.conversation.choosing import Selected, Selector
from core.conversation.workspace import Choices, Workspace
from core.rows import WorkspaceRow

FindWorkspace = Callable[[Path], Awaitable[WorkspaceRow]]
"""The effective row of a folder: with the settings' defaults where it says nothing itself."""


class Switches:
    """`policy` gives the profiles there are. What Codex begins with is kept by folder, for who asks again."""

    def __init__(self, agent: Agent, policy: AccessPolicy, find: FindWorkspace) -> None:
        self.policy = policy
        self._agent = agent
        self._find = find
        self._beginnings: dict[str, RunSettings] = {}

    async def models(self) -> tuple[Model, ...]:
        """Those that Codex offers. Raises CodexError."""
        return await self._agent.models()

    def profiles(self) -> tuple[Profile, ...]:
        return tuple(self.policy.profiles.values())

    def selector(self, workspace: WorkspaceRow, choices: Choices) -> Selector:
        """Of a conversation in this workspace, whose row is the effective one. Raises InvalidState."""
        parsed = Workspace.parse(
            workspace.id, workspace.path, workspace.revision, workspace.defaults, workspace.policy
        )
        return Selector(parsed, self.policy, choices, self._beginnings.get(workspace.path))

    async def beginning(self, path: Path, choices: Choices) -> Selected:
        """What a conversation that is begun there now runs with.

        Raises CodexError, InvalidRequest, InvalidState, StoreError.
        """
        workspace = await self._find(path)
        self._beginnings[workspace.path] = await self._agent.beginning(workspace.path)
        return self.selector(workspace, choices).selected

    async def choose(self, path: Path, choices: Choices, change: Choices) -> Choices:
        """The choices with a change, for a conversation that does not exist yet.

        Raises Unauthorized, and as `beginning`.
        """
        asks = change.model is not None or change.effort is not None
        models = await self._agent.models() if asks else ()
        return self.selector(await self._find(path), choices).choose(change, models).choices
