"""Where the demo and the tests live: what is made, what lasts, and that nothing is left behind."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.demo.leftovers import control_socket, end_leftovers
from core.demo.process import ModelProcess
from core.demo.scratch import Scratch, lasting_scratch, make_scratch, remove_scratch, temporary_scratch
from core.errors import HostUnavailable
from tests.core.demo.codex import running_codex


def is_running(pid: int) -> bool:
    """Whether it still does something; one that ended and was not collected does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return state.stdout.strip()[:1] not in ("", "Z")


def wait_until(holds: Callable[[], bool]) -> None:
    """For things of the operating system's that tell nobody when they happen."""
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def test_a_scratch_is_private_small_and_in_git(scratch: Scratch) -> None:
    assert stat.S_IMODE(scratch.home.stat().st_mode) == 0o700
    assert len(os.fsencode(control_socket(scratch.home))) < 100
    assert (scratch.project / "notes.md").exists()
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=scratch.project, capture_output=True, check=True
    )
    assert status.stdout == b""


async def test_nothing_of_a_temporary_scratch_is_left(codex_binary: Path) -> None:
    async with temporary_scratch() as scratch:
        async with running_codex(codex_binary, scratch) as codex:
            await codex.play("/say hello")
        assert len(await scratch.model.requests()) == 1

    assert not scratch.folder.exists()
    assert not is_running(scratch.model.pid)


async def test_a_lasting_scratch_comes_back_as_it_was(tmp_path: Path, codex_binary: Path) -> None:
    async with lasting_scratch(tmp_path, pace=0) as first, running_codex(codex_binary, first) as codex:
        await codex.play("/say hello")
        thread = codex.thread
        decided = (first.home / "config.toml").read_text() + "\n# decided for always\n"
        (first.home / "config.toml").write_text(decided)

    async with lasting_scratch(tmp_path, pace=0) as second, running_codex(codex_binary, second) as codex:
        assert (second.home, second.model.port) == (first.home, first.model.port)
        assert (second.home / "config.toml").read_text() == decided
        codex.thread = thread
        await codex.call("thread/resume", threadId=thread)
        await codex.play("/say again")
        assert codex.texts() == ["again"]


async def test_a_model_whose_port_was_taken_meanwhile_gets_another_one(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (tmp_path / "1").mkdir()
        (tmp_path / "1" / "model-port").write_text(str(port))

        async with lasting_scratch(tmp_path) as scratch:
            assert scratch.model.port != port
            assert scratch.model.base_url in (scratch.home / "config.toml").read_text()


async def test_a_second_demo_beside_the_first_gets_a_place_of_its_own(tmp_path: Path) -> None:
    async with lasting_scratch(tmp_path) as first:
        async with lasting_scratch(tmp_path) as second:
            assert second.home != first.home
        assert is_running(first.model.pid)


def test_a_host_and_what_it_started_is_ended(model: ModelProcess, codex_binary: Path) -> None:
    scratch = make_scratch(model)
    host, orphan = (
        subprocess.Popen(command, env=scratch.env, start_new_session=True, stderr=subprocess.DEVNULL)
        for command in ([codex_binary, "app-server", "--listen", "unix://"], ["sleep", "600"])
    )
    try:
        wait_until(lambda: control_socket(scratch.home).exists())
        remove_scratch(scratch)
        assert not is_running(host.pid)
        assert not is_running(orphan.pid)
        assert not scratch.folder.exists()
    finally:
        host.kill()
        orphan.kill()


def test_what_runs_elsewhere_is_left_alone(scratch: Scratch, tmp_path: Path) -> None:
    other = {**os.environ, "CODEX_HOME": str(scratch.home) + "-other"}
    bystander = subprocess.Popen(["sleep", "600"], env=other)
    try:
        assert end_leftovers(scratch.home) == ()
        assert is_running(bystander.pid)
    finally:
        bystander.kill()
        bystander.wait()


def test_the_model_ends_when_its_owner_does() -> None:
    code = (
        "import os\n"
        "from core.demo.process import ModelProcess\n"
        "print(ModelProcess.start().pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    owner = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    pid = int(owner.stdout)

    wait_until(lambda: not is_running(pid))


def test_the_model_ends_on_sigterm_with_a_stream_open(model: ModelProcess) -> None:
    mine = ModelProcess.start()
    body = b'{"input": [{"type": "message", "role": "user", "content": "/hold gate"}]}'
    with socket.create_connection(("127.0.0.1", mine.port), 10) as client:
        head = f"POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n"
        client.sendall(head.encode() + body)
        assert b"200" in client.recv(100)

        os.kill(mine.pid, signal.SIGTERM)

        wait_until(lambda: not is_running(mine.pid))
    mine.close()


def test_a_taken_port_is_an_error_that_says_so(model: ModelProcess) -> None:
    with pytest.raises(HostUnavailable) as caught:
        ModelProcess.start(port=model.port)

    assert str(model.port) in caught.value.why


async def test_a_model_that_is_gone_is_an_error_not_a_hang() -> None:
    mine = ModelProcess.start()
    mine.close()

    with pytest.raises(HostUnavailable):
        await mine.requests()


async def test_a_request_that_makes_no_sense_is_refused(model: ModelProcess) -> None:
    with socket.create_connection(("127.0.0.1", model.port), 10) as client:
        client.sendall(b"POST /v1/responses HTTP/1.0\r\ncontent-length: 4\r\n\r\nnope")
        assert b" 400 " in client.makefile("rb").readline()

    assert await model.requests() == ()
