"""`fuzzyFileSearch`, `skills/list` and `command/exec`: the calls that need no thread."""

from __future__ import annotations

from pydantic import Field

from core.codex.protocol.base import LONG_CALL_SECONDS, Method, Nothing, Wire
from core.codex.protocol.threads import SandboxPolicy


class FileSearchParams(Wire):
    """A search with a token ends the one before with the same token."""

    query: str
    roots: tuple[str, ...]
    cancellation_token: str | None = None


class FileMatch(Wire):
    """Its names are not camelCase on the wire."""

    path: str
    match_type: str = Field(default="file", alias="match_type")


class FileMatches(Wire):
    files: tuple[FileMatch, ...]


class SkillsParams(Wire):
    cwds: tuple[str, ...]


class SkillInterface(Wire):
    short_description: str | None = None


class SkillInfo(Wire):
    name: str
    description: str = ""
    enabled: bool = True
    path: str = ""
    scope: str = ""
    short_description: str | None = None
    interface: SkillInterface | None = None


class FolderSkills(Wire):
    skills: tuple[SkillInfo, ...] = ()


class SkillList(Wire):
    data: tuple[FolderSkills, ...]


class ExecSandbox(SandboxPolicy):
    """The folder of a command is no writable root by itself, as that of a thread is (seen on 0.163)."""

    writable_roots: tuple[str, ...] | None = None


class ExecParams(Wire):
    command: tuple[str, ...]
    cwd: str
    process_id: str
    sandbox_policy: ExecSandbox | None = None
    stream_stdout_stderr: bool = True
    disable_timeout: bool = True
    output_bytes_cap: int


class Executed(Wire):
    exit_code: int


class ProcessParams(Wire):
    process_id: str


class ExecOutput(Wire):
    """`command/exec/outputDelta`: sent to the connection that runs the command."""

    process_id: str
    stream: str
    delta_base64: str
    cap_reached: bool = False


FIND_FILES = Method("fuzzyFileSearch", FileMatches)
SKILLS_LIST = Method("skills/list", SkillList, LONG_CALL_SECONDS)
COMMAND_EXEC = Method("command/exec", Executed, None)
COMMAND_TERMINATE = Method("command/exec/terminate", Nothing)
