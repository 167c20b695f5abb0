"""What a request asks for, in the terms of profiles and rules. Pure."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.access.patterns import Host, Part, Path, ToolName, is_inside, plain_path
from core.access.policy import Action
from core.access.shell import Line, SimpleCommand, parse_command
from core.agent.requests import (
    CommandApproval,
    FileApproval,
    McpForm,
    McpLink,
    PermissionsApproval,
    Question,
    Request,
    Right,
    ToolRequest,
)

Resolve = Callable[[str], str]
"""An absolute path -> the same with every symbolic link followed, as far as it exists."""

_MOST_PLACES = 64


@dataclass(frozen=True, slots=True)
class Subject:
    """`actions`: what a profile has to allow, all of it. `parts`: what rules have to cover, all of it.

    `unsure`: why no rule can allow it, however its parts are covered; a clause about "it".
    """

    actions: frozenset[Action]
    parts: tuple[Part, ...] = ()
    unsure: str | None = None


def subject_of(request: Request, workspace: str, resolve: Resolve) -> Subject | None:
    """What is to be decided on; None for a request of a kind that this version does not know.

    `workspace` is its folder, absolute.
    """
    match request:
        case CommandApproval(network_host=str(host)):
            return Subject(
                frozenset({Action.NETWORK, *_of_rights(request.rights)}), (Host(host),), _beyond(request)
            )
        case CommandApproval():
            return _of_command(request, _Workspace(workspace, resolve))
        case FileApproval():
            return _of_files(request, _Workspace(workspace, resolve))
        case PermissionsApproval():
            actions = frozenset({Action.PERMISSIONS, *_of_rights(request.rights)})
            return Subject(actions, (), "it asks for rights")
        case Question():
            return Subject(frozenset({Action.QUESTION}), (), "it is a question")
        case McpForm(approval_kind=str()):
            return Subject(frozenset({Action.FORM}), (), "it is about a tool of an MCP server")
        case McpForm():
            return Subject(frozenset({Action.FORM}), (), "it is a form to fill in")
        case McpLink():
            return Subject(frozenset({Action.FORM}), (), "it is a page to visit")
        case ToolRequest():
            return Subject(frozenset({Action.TOOL}), (ToolName(request.tool),))
        case _:
            return None


class _Workspace:
    def __init__(self, folder: str, resolve: Resolve) -> None:
        self.folder = folder
        self.resolve = resolve
        self._folders = (folder, resolve(folder))

    def holds(self, path: str) -> bool:
        """Whether it lies in the workspace, also after every symbolic link in it."""
        return any(is_inside(path, folder) for folder in self._folders) and is_inside(
            self.resolve(path), self._folders[1]
        )


def _beyond(request: CommandApproval) -> str | None:
    return "it asks for rights beyond the command" if request.rights else None


_LETS: dict[str, tuple[Action, ...]] = {
    "network": (Action.NETWORK,),
    "read": (),
    "write": (Action.FILE_CHANGE,),
    "other": (Action.NETWORK, Action.FILE_CHANGE),
}


def _of_rights(rights: Iterable[Right]) -> frozenset[Action]:
    """A right is more than the workspace allows, and also what it lets happen."""
    return frozenset(action for right in rights for action in (Action.PERMISSIONS, *_LETS[right.to]))


def _of_command(request: CommandApproval, workspace: _Workspace) -> Subject:
    actions = {Action.COMMAND, *_of_rights(request.rights)}
    if request.stdin:
        if request.cwd and _why_outside(request.cwd, (), workspace):
            actions.add(Action.PERMISSIONS)
        return Subject(frozenset(actions), (), "it is typed into a command that runs already")
    if not request.command.strip():
        actions.add(Action.PERMISSIONS)
    parsed = parse_command(request.command)
    outside = _why_outside(request.cwd, parsed.commands, workspace)
    if outside is not None:
        actions.add(Action.PERMISSIONS)
    opaque = None if isinstance(parsed, Line) else parsed.why
    return Subject(frozenset(actions), parsed.commands, opaque or outside or _beyond(request))


def _why_outside(cwd: str, commands: Iterable[SimpleCommand], workspace: _Workspace) -> str | None:
    """Why something may run outside the workspace: there, no word means what it means inside.

    A `cd` may fail or be passed over, so each one is followed from every folder that may be the current one.
    """
    if not cwd.startswith("/") or not workspace.holds(cwd):
        return f"it runs in {cwd or 'a folder that is not named'}, outside the workspace"
    places = {cwd}
    for command in commands:
        if command.words[0].text != "cd":
            continue
        where = command.words[1:]
        if len(where) != 1 or where[0].expands or where[0].text.startswith("-"):
            return f"it goes where {command} leads"
        reached = {posixpath.join(place, where[0].text) for place in places}
        if len(places) + len(reached) > _MOST_PLACES or not all(map(workspace.holds, reached)):
            return f"it goes to {where[0].text}, outside the workspace"
        places |= reached
    return None


def _of_files(request: FileApproval, workspace: _Workspace) -> Subject:
    named = [path for change in request.changes for path in (change.path, change.move_path) if path]
    if request.grant_root:
        named.append(request.grant_root)
    paths = [posixpath.join(workspace.folder, path) for path in named]
    parts = tuple(Path(plain_path(path), workspace.resolve(path)) for path in paths)
    actions = {Action.FILE_CHANGE}
    if request.grant_root or not request.changes or not all(map(workspace.holds, paths)):
        actions.add(Action.PERMISSIONS)
    return Subject(frozenset(actions), parts, None if request.changes else "its changes cannot be seen")
