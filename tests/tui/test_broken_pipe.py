"""A command whose reader is gone (`| head`) ends quietly, as other programs do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("lines", [1, 5_000])
def test_a_command_that_nobody_reads_ends_without_a_word(tmp_path: Path, lines: int) -> None:
    script = f"""
import click
from tui.running import run

async def work(settings):
    for number in range({lines}):
        click.echo(number)

run(work)
"""
    reader, writer = os.pipe()
    os.close(reader)
    env = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    try:
        done = subprocess.run(
            [sys.executable, "-c", script], stdout=writer, stderr=subprocess.PIPE, env=env, timeout=60
        )
    finally:
        os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 128 + signal.SIGPIPE
