"""What Codex finds and runs for a person who is writing: files, skills, commands in its sandbox."""

from __future__ import annotations

import codecs
import logging
import os
from collections.abc import Callable
from pathlib import PurePath

from core.agent.events import AgentEvent, ExecSaid
from core.agent.lookups import CommandOutput, FoundFile, Lookups, ShellCommand, Skill
from core.agent.port import Sandbox
from core.codex.hub import Hub
from core.codex.link import Link
from core.codex.params import SANDBOX_TYPES
from core.codex.protocol import lookups as wire
from core.errors import CallRefused

log = logging.getLogger(__name__)

MOST_FILES = 50
OUTPUT_CAP = 1024 * 1024
"""Bytes of each stream of a command that are passed on."""

IN_THE_USERS_SHELL = ("/bin/sh", "-c", 'exec "${SHELL:-/bin/sh}" -c "$0"')
"""Takes the command line as one more argument. Which shell that is, only the host's machine knows."""


class CodexLookups(Lookups):
    """Over the link that a `CodexAgent` keeps."""

    def __init__(self, link: Link, hub: Hub) -> None:
        self._link = link
        self._hub = hub
        self._token = f"quarterdeck-{os.urandom(4).hex()}"

    async def files(self, folder: str, text: str) -> tuple[FoundFile, ...]:
        params = wire.FileSearchParams(query=text, roots=(folder,), cancellation_token=self._token)
        found = await self._link.standing.connection.call(wire.FIND_FILES, params)
        # Codex lists git's own files too (seen on 0.163); nobody speaks of those.
        named = [one for one in found.files if ".git" not in PurePath(one.path).parts]
        return tuple(FoundFile(one.path, one.match_type == "directory") for one in named[:MOST_FILES])

    async def skills(self, folder: str) -> tuple[Skill, ...]:
        params = wire.SkillsParams(cwds=(folder,))
        listed = await self._link.standing.connection.call(wire.SKILLS_LIST, params)
        found = (skill for entry in listed.data for skill in entry.skills if skill.enabled)
        return tuple(Skill(skill.name, _description(skill), skill.path, skill.scope) for skill in found)

    async def run(self, command: ShellCommand, hear: Callable[[CommandOutput], None]) -> int:
        decoders: dict[str, codecs.IncrementalDecoder] = {}

        def heard(event: AgentEvent) -> None:
            if isinstance(event, ExecSaid) and event.command_id == command.id:
                decoder = decoders.get(event.stream) or _UTF8(errors="replace")
                decoders[event.stream] = decoder
                hear(CommandOutput(decoder.decode(event.data), event.cut))

        params = wire.ExecParams(
            command=(*IN_THE_USERS_SHELL, command.line),
            cwd=command.cwd,
            process_id=command.id,
            sandbox_policy=_policy(command),
            output_bytes_cap=OUTPUT_CAP,
        )
        stop_listening = self._hub.listen(heard)
        try:
            ended = await self._link.standing.connection.call(wire.COMMAND_EXEC, params)
        finally:
            stop_listening()
        return ended.exit_code

    async def stop(self, command_id: str) -> None:
        params = wire.ProcessParams(process_id=command_id)
        try:
            await self._link.standing.connection.call(wire.COMMAND_TERMINATE, params)
        except CallRefused as error:
            log.info("nothing was stopped: %s", error.message)


_UTF8 = codecs.getincrementaldecoder("utf-8")


def _policy(command: ShellCommand) -> wire.ExecSandbox | None:
    if command.sandbox is None:
        return None
    roots = (command.cwd,) if command.sandbox is Sandbox.WORKSPACE_WRITE else None
    return wire.ExecSandbox(type=SANDBOX_TYPES[command.sandbox], writable_roots=roots)


def _description(skill: wire.SkillInfo) -> str:
    short = skill.interface.short_description if skill.interface else None
    return short or skill.short_description or skill.description
