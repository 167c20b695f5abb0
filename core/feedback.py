"""A file for a report: what is needed to see what went wrong, and nothing secret. It is only written, never sent."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core.doctor import look
from core.errors import Conflict, InvalidRequest, QuarterdeckError
from core.masking import mask
from core.settings import Settings

LOG_BYTES = 64 * 1024
_SECRET_FIELDS = {"token"}


async def write_feedback(settings: Settings, host: str, path: Path, logs: Sequence[Path]) -> Path:
    """Write versions, the settings without secrets, the doctor's findings and the ends of the logs, masked.

    Raises Conflict where the file is there already, InvalidRequest where it cannot be written.
    """
    try:
        findings = [
            f"{'ok ' if one.ok else 'BAD'}  {one.name}: {one.text}" for one in (await look(settings)).findings
        ]
    except QuarterdeckError as error:
        findings = [f"BAD  the doctor did not finish: {error}"]
    parts = {
        "Versions": f"Quarterdeck {_version()}\n{host}\nPython {platform.python_version()}\n{platform.platform()}",
        "Settings": settings.model_dump_json(indent=2, exclude={"host": _SECRET_FIELDS}),
        "Doctor": "\n".join(findings),
        **{log.name: await asyncio.to_thread(_tail, log) for log in logs},
    }
    head = f"Quarterdeck feedback file, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC. Secrets are masked; read it before you pass it on."
    text = "\n\n".join((head, *(f"## {title}\n\n{body}" for title, body in parts.items()))) + "\n"
    await asyncio.to_thread(_write, path, mask(text.replace(str(Path.home()), "~")))
    return path


def _version() -> str:
    try:
        return version("quarterdeck")
    except PackageNotFoundError:
        return "unknown"


def _tail(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - LOG_BYTES))
            return file.read().decode("utf-8", errors="replace") or "(empty)"
    except FileNotFoundError:
        return "(none: nothing was written to it)"
    except OSError as error:
        return f"(cannot be read: {error.strerror})"


def _write(path: Path, text: str) -> None:
    try:
        with os.fdopen(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as file:
            file.write(text)
    except FileExistsError as error:
        raise Conflict(f"{path} is there already", todo="Give another name: /feedback-file NAME.") from error
    except OSError as error:
        raise InvalidRequest(
            f"{path} cannot be written",
            why=str(error.strerror),
            todo="Give another name: /feedback-file NAME.",
        ) from error
