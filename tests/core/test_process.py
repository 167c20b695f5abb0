"""Telling processes apart, and ending the right one."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core import process
from core.codex.logs import tail
from core.codex.websocket import connect_unix
from core.process import ProcessId, connections_to, end, gone, identify, listener_at
from tests.core.codex.peers import respond, unix_peer

SLEEP = "import time; time.sleep(60)"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"


def start(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)


def test_a_process_has_one_identity_and_two_have_two() -> None:
    child = start(SLEEP)
    try:
        ours, theirs = identify(os.getpid()), identify(child.pid)
        assert ours is not None
        assert theirs is not None
        assert ours == identify(os.getpid())
        assert ours.started != theirs.started or ours.pid != theirs.pid
        assert str(theirs).startswith(f"{child.pid}-")
    finally:
        child.kill()
        child.communicate()
    assert identify(child.pid) is None


def test_a_process_that_ended_and_was_not_collected_runs_no_more() -> None:
    child = start("")
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert identify(child.pid) is None
    child.communicate()


@pytest.mark.skipif(shutil.which("ps") is None, reason="there is no ps")
def test_ps_tells_processes_apart_where_there_is_no_proc() -> None:
    ours = process._identify_by_ps(os.getpid())  # pyright: ignore
    assert ours is not None
    assert ours == process._identify_by_ps(os.getpid())  # pyright: ignore
    assert ours.started
    child = start("")
    child.communicate()
    assert process._identify_by_ps(child.pid) is None  # pyright: ignore


async def test_a_process_that_has_the_pid_by_now_is_left_alone() -> None:
    child = start(SLEEP)
    try:
        assert await end(ProcessId(child.pid, "long ago"), forced=True, seconds=1)
        assert child.poll() is None
    finally:
        child.kill()
        child.communicate()


async def test_a_process_that_takes_no_hint_is_killed_by_force_only() -> None:
    child = start(STUBBORN)
    assert child.stdout is not None
    assert await asyncio.to_thread(child.stdout.readline) == b"up\n"
    known = identify(child.pid)
    assert known is not None
    assert not await end(known, forced=False, seconds=0.1)
    assert await end(known, forced=True, seconds=0.2)
    assert child.wait() == -signal.SIGKILL
    assert await gone(known, 0)
    child.stdout.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
async def test_the_clients_of_a_socket_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "peer.sock"
    assert connections_to(path) is None
    async with unix_peer(path, respond):  # pyright: ignore
        assert listener_at(path) == os.getpid()
        first = await connect_unix(path)
        assert connections_to(path) == 1
        second = await connect_unix(path)
        assert connections_to(path) == 2
        await first.close()
        await second.close()
    assert listener_at(path) is None


def test_the_end_of_a_log_is_short_harmless_and_without_a_backtrace(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert tail(log) == ""
    lines = [f"line {n}" for n in range(10_000)]
    log.write_text("\n".join([*lines, "\x1b[31mERROR\x1b[0m it\x07broke", "", "Stack backtrace:", "  0: x"]))
    assert tail(log) == "line 9997 / line 9998 / line 9999 / ERROR it broke"
    log.write_text("x" * 100_000)
    assert len(tail(log)) <= 300
