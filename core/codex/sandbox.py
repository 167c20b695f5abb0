"""Whether Codex's sandbox works on this machine: tried with a command that is refused if it does."""

from __future__ import annotations

import asyncio
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

TRIAL_SECONDS = 15.0
_WROTE = 9


@dataclass(frozen=True, slots=True)
class SandboxTrial:
    """`runs`: a command runs in it at all; `holds`: it may not write where it should not. `said`: why not."""

    runs: bool
    holds: bool
    said: str = ""


async def try_sandbox(binary: Path) -> SandboxTrial:
    """Run a command that writes outside of what it may; with a CODEX_HOME of its own, left behind nowhere."""
    with tempfile.TemporaryDirectory(prefix="qd-sandbox-") as folder:
        target = Path(folder, "written")
        script = f'touch "$0" 2>/dev/null && exit {_WROTE}; exit 0'
        process = await asyncio.create_subprocess_exec(
            binary,
            "sandbox",
            "--",
            "/bin/sh",
            "-c",
            script,
            str(target),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "CODEX_HOME": folder},
            cwd=folder,
        )
        try:
            async with asyncio.timeout(TRIAL_SECONDS):
                _, complaints = await process.communicate()
        except TimeoutError:
            return SandboxTrial(runs=False, holds=False, said=f"it did not end within {TRIAL_SECONDS:g} s")
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode not in (0, _WROTE):
            lines = complaints.decode("utf-8", "replace").split("\n")
            said = [line for line in lines if line.strip() and not line.startswith("WARNING")]
            return SandboxTrial(runs=False, holds=False, said=said[-1] if said else "it said nothing")
        return SandboxTrial(runs=True, holds=process.returncode == 0)
