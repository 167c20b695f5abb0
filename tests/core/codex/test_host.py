"""Finding, starting and losing a host: on the real Codex, which needs no model for it."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import socket
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection

from core.agent.events import HostLost, HostReady, Notice, RequestRaised, RequestSettled
from core.agent.port import ThreadSpec
from core.agent.requests import CommandApproval, Decide, Request
from core.codex import websocket
from core.codex.client import CodexAgent
from core.codex.host import Host
from core.codex.options import Command, HostOptions, PrivateChild, Remote, SocketPath
from core.codex.status import host_status
from core.demo.leftovers import control_socket, end_leftovers
from core.demo.scratch import Scratch
from core.errors import CodexTooOld, ConnectionLost, HostUnavailable
from core.process import ProcessId, gone, identify
from tests.core.codex.conftest import Console, OpenConsole, freeze
from tests.core.codex.peers import respond, unix_peer
from tests.core.codex.test_binary import OLD, fake_codex


def ready(console: Console) -> HostReady:
    """The last time the host was ready."""
    return console.heard.of(HostReady)[-1]


async def pid_of(console: Console) -> int:
    pid = (await console.agent.status()).pid
    assert pid is not None
    return pid


def break_connection(console: Console) -> None:
    """Cut the connection under the agent, as nothing outside can."""
    transport = console.agent._link.standing.connection._transport  # pyright: ignore
    transport._connection.transport.abort()  # pyright: ignore


def accept(request: Request) -> Decide:
    assert isinstance(request, CommandApproval)
    return Decide(choice=next(choice for choice in request.choices if choice.verb == "accept"))


async def test_a_second_console_attaches_to_the_host_of_the_first(
    console: Console, open_console: OpenConsole
) -> None:
    other = await open_console()
    assert ready(other) == ready(console)
    assert ready(other).started_by_us
    assert await pid_of(other) == await pid_of(console)


async def test_a_host_outlives_the_console_that_started_it(
    console: Console, open_console: OpenConsole
) -> None:
    await console.agent.close()
    other = await open_console()
    assert ready(other).generation == ready(console).generation


async def test_a_host_that_somebody_else_started_is_not_ours(
    console: Console, open_console: OpenConsole, options: HostOptions, tmp_path: Path
) -> None:
    other = await open_console(dataclasses.replace(options, state_dir=tmp_path / "of-another"))
    assert ready(other).generation == ready(console).generation
    assert not ready(other).started_by_us


async def test_a_host_lives_in_a_session_of_its_own_and_logs_to_a_file(
    console: Console, options: HostOptions
) -> None:
    pid = await pid_of(console)
    assert os.getsid(pid) == pid
    (log,) = options.state_dir.glob("host-*.log")
    assert log.stat().st_mode & 0o777 == 0o600
    assert options.state_dir.stat().st_mode & 0o777 == 0o700


async def test_two_starts_at_once_make_one_host(open_console: OpenConsole) -> None:
    consoles = await asyncio.gather(*(open_console() for _ in range(4)))
    assert len({ready(console).generation for console in consoles}) == 1
    assert all(ready(console).started_by_us for console in consoles)


async def test_two_consoles_that_share_no_lock_make_one_host_too(
    open_console: OpenConsole, options: HostOptions, tmp_path: Path
) -> None:
    other = dataclasses.replace(options, state_dir=tmp_path / "of-another")
    consoles = await asyncio.gather(open_console(), open_console(other))
    assert len({ready(console).generation for console in consoles}) == 1
    assert sorted(ready(console).started_by_us for console in consoles) == [False, True]


async def test_the_socket_of_a_dead_host_is_no_obstacle(
    console: Console, open_console: OpenConsole, options: HostOptions
) -> None:
    pid = await pid_of(console)
    await console.agent.close()
    os.kill(pid, signal.SIGKILL)
    assert control_socket(options.codex_home).is_symlink()
    other = await open_console()
    assert ready(other).generation != ready(console).generation


async def test_a_codex_home_that_is_not_there_is_made(
    open_console: OpenConsole, options: HostOptions, scratch: Scratch
) -> None:
    fresh = scratch.home.parent / "fresh"
    try:
        await open_console(dataclasses.replace(options, codex_home=fresh))
        assert fresh.stat().st_mode & 0o777 == 0o700
    finally:
        end_leftovers(fresh)


async def test_a_codex_home_too_deep_for_a_socket_is_none_to_codex(
    open_console: OpenConsole, options: HostOptions, scratch: Scratch
) -> None:
    deep = scratch.home.parent / ("deep" * 30)
    try:
        opened = await open_console(dataclasses.replace(options, codex_home=deep))
        assert ready(opened).started_by_us
        assert not any("private child" in notice.text for notice in opened.heard.of(Notice))
    finally:
        end_leftovers(deep)


async def test_a_socket_path_that_is_too_long_is_said_so(options: HostOptions, tmp_path: Path) -> None:
    path = tmp_path / ("x" * 120)
    path.touch()
    agent = CodexAgent(dataclasses.replace(options, mode=SocketPath(path)))
    with pytest.raises(HostUnavailable, match="its path has") as refused:
        await agent.open()
    assert refused.value.todo


async def test_a_socket_where_nobody_listens_is_said_so(options: HostOptions, tmp_path: Path) -> None:
    dead = tmp_path / "dead.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(dead))
    for path in (dead, tmp_path / "none.sock"):
        agent = CodexAgent(dataclasses.replace(options, mode=SocketPath(path)))
        with pytest.raises(HostUnavailable, match="No Codex host listens"):
            await agent.open()


def failing_codex(folder: Path, real: Path, *, only_sockets: bool = False) -> Path:
    """A Codex that dies as soon as it is to be a host."""
    path = fake_codex(folder, "")
    words = '"$*" = "app-server --listen unix://"' if only_sockets else "$1 = app-server"
    path.write_text(
        f'#!/bin/sh\nif [ {words} ]; then echo "one"; echo "its last words" >&2; exit 7; fi\nexec "{real}" "$@"\n'
    )
    return path


async def test_a_binary_that_dies_at_once_is_said_with_its_last_words(
    options: HostOptions, tmp_path: Path, codex_binary: Path
) -> None:
    agent = CodexAgent(dataclasses.replace(options, binary=failing_codex(tmp_path, codex_binary)))
    with pytest.raises(HostUnavailable) as refused:
        await agent.open()
    assert "exit code 7" in str(refused.value)
    assert "its last words" in str(refused.value)


async def test_where_sockets_fail_a_private_child_stands_in_and_says_so(
    open_console: OpenConsole, options: HostOptions, tmp_path: Path, codex_binary: Path
) -> None:
    binary = failing_codex(tmp_path, codex_binary, only_sockets=True)
    opened = await open_console(dataclasses.replace(options, binary=binary))
    notice = opened.heard.of(Notice)[0]
    assert "private child" in notice.text
    assert "its last words" in notice.text
    thread = await opened.thread()
    await opened.heard.turn_end(await opened.say(thread, "/say hi"))


async def test_a_host_that_hangs_is_said_to_and_nothing_is_started_beside_it(
    console: Console, options: HostOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "CONNECT_SECONDS", 0.2)
    pid = await pid_of(console)
    freeze(pid)
    try:
        with pytest.raises(HostUnavailable, match="does not answer"):
            await CodexAgent(options).open()
    finally:
        os.kill(pid, signal.SIGCONT)


async def test_a_host_that_is_too_old_is_refused(options: HostOptions, tmp_path: Path) -> None:
    async def old(peer: ServerConnection, message: dict[str, object]) -> None:
        if message.get("method") == "initialize":
            await respond(peer, message, {"userAgent": f"codex/{OLD} (x)"})
        elif "id" in message:
            await respond(peer, message, {"process": {"id": 1}, "gauges": []})

    path = tmp_path / "old.sock"
    async with unix_peer(path, old):
        agent = CodexAgent(dataclasses.replace(options, mode=SocketPath(path)))
        with pytest.raises(CodexTooOld, match=OLD):
            await agent.open()


async def test_a_host_behind_a_forwarded_socket_is_a_new_one_each_time(
    console: Console, open_console: OpenConsole, options: HostOptions, tmp_path: Path
) -> None:
    """The kernel then knows the forwarder only."""

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(
            os.path.realpath(control_socket(options.codex_home))
        )

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            while chunk := await source.read(65536):
                sink.write(chunk)
                await sink.drain()
            sink.close()

        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

    path = tmp_path / "forwarded.sock"
    async with await asyncio.start_unix_server(forward, str(path)):
        forwarded = dataclasses.replace(options, mode=SocketPath(path))
        first, second = await open_console(forwarded), await open_console(forwarded)
        generations = {ready(one).generation for one in (console, first, second)}
        assert len(generations) == 3
        assert (await first.agent.status()).pid is None
        await first.agent.close()
        await second.agent.close()


async def test_a_killed_host_is_lost_told_to_every_waiter_and_started_again(console: Console) -> None:
    first = ready(console)
    thread = await console.thread()
    await console.say(thread, "/hold for-ever")
    os.kill(await pid_of(console), signal.SIGKILL)
    calls = [asyncio.create_task(console.agent.models()) for _ in range(20)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(result, ConnectionLost) for result in results)
    lost = await console.heard.next(HostLost)
    assert lost.generation == first.generation
    assert lost.reason
    again = await console.heard.next(HostReady)
    assert again.generation != first.generation
    assert again.started_by_us
    assert await console.agent.models()


async def test_while_the_host_is_gone_calls_say_so_and_trouble_is_told_once(
    open_console: OpenConsole, options: HostOptions, tmp_path: Path, codex_binary: Path
) -> None:
    binary = fake_codex(tmp_path, "")
    good = f'#!/bin/sh\nexec "{codex_binary}" "$@"\n'
    binary.write_text(good)
    opened = await open_console(dataclasses.replace(options, binary=binary))
    binary.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && exec "{codex_binary}" "$@"\necho broken >&2; exit 7\n'
    )
    os.kill(await pid_of(opened), signal.SIGKILL)
    await opened.heard.next(HostLost)
    notice = await opened.heard.next(Notice, lambda event: event.level == "error")
    assert "broken" in notice.text
    with pytest.raises(ConnectionLost, match="not connected"):
        await opened.agent.models()
    binary.write_text(good)
    await opened.heard.next(HostReady)
    assert len([event for event in opened.heard.of(Notice) if event.level == "error"]) == 1
    assert await opened.agent.models()


async def test_closing_while_the_host_is_gone_stops_looking_for_it(
    open_console: OpenConsole, options: HostOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.codex.link.FIRST_PAUSE", 60.0)
    opened = await open_console()
    process = identify(await pid_of(opened))
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    await opened.heard.next(HostLost)
    await opened.agent.close()
    assert len(opened.heard.of(HostReady)) == 1
    assert await gone(process, 10)
    assert await host_status(options) is None


async def test_a_start_that_is_given_up_leaves_no_host(
    options: HostOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    spawned: asyncio.Future[ProcessId | None] = asyncio.get_running_loop().create_future()
    spawn = Host._spawn  # pyright: ignore

    def note(host: Host, binary: Path) -> object:
        process = spawn(host, binary)
        spawned.set_result(identify(process.pid))
        return process

    monkeypatch.setattr(Host, "_spawn", note)
    opening = asyncio.create_task(CodexAgent(options).open())
    process = await spawned
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert process is not None
    assert await gone(process, 10)
    assert await host_status(options) is None


async def test_a_broken_connection_to_a_living_host_keeps_its_generation_and_its_requests(
    console: Console, scratch: Scratch
) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! true\n/hold gate")
    request = await console.heard.request()
    break_connection(console)
    await console.heard.next(HostLost)
    again = await console.heard.next(HostReady)
    assert again == console.heard.events[0]
    assert await console.agent.answer(request.key, accept(request))
    await console.agent.resume_thread(thread)
    await scratch.model.release("gate")
    await console.heard.turn_end(turn)


async def test_a_request_that_was_answered_while_we_were_away_is_settled_at_the_resume(
    console: Console, open_console: OpenConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await open_console()
    thread = await console.thread()
    turn = await console.say(thread, "/run! true\n/run! false")
    first = await console.heard.request()
    monkeypatch.setattr("core.codex.link.FIRST_PAUSE", 1.0)
    monkeypatch.setattr("core.codex.intake.CONFIRM_SECONDS", 0.3)
    break_connection(console)
    await console.heard.next(HostLost)
    await other.agent.resume_thread(thread)
    theirs = await other.heard.request()
    assert await other.agent.answer(theirs.key, accept(theirs))
    second = await other.heard.request()

    await console.heard.next(HostReady)
    await console.agent.resume_thread(thread)
    settled = await console.heard.next(RequestSettled)
    assert settled.key == first.key
    assert [event.request.key for event in console.heard.of(RequestRaised)] == [first.key, second.key]
    await console.agent.interrupt(thread, turn)
    await console.heard.turn_end(turn)


async def test_a_private_child_works_and_ends_with_us(
    open_console: OpenConsole, options: HostOptions, scratch: Scratch
) -> None:
    opened = await open_console(dataclasses.replace(options, mode=PrivateChild()))
    thread = await opened.thread()
    await opened.heard.turn_end(await opened.say(thread, "/say hi"))
    pid = await pid_of(opened)
    assert not control_socket(scratch.home).exists()
    await opened.agent.close()
    assert identify(pid) is None


async def test_a_private_child_that_dies_is_started_again(
    open_console: OpenConsole, options: HostOptions
) -> None:
    opened = await open_console(dataclasses.replace(options, mode=PrivateChild()))
    os.kill(await pid_of(opened), signal.SIGKILL)
    lost = await opened.heard.next(HostLost)
    assert "signal 9" in lost.reason
    again = await opened.heard.next(HostReady)
    assert again.generation != lost.generation


async def test_any_command_that_speaks_json_lines_will_do(
    open_console: OpenConsole, options: HostOptions, codex_binary: Path
) -> None:
    argv = ("/bin/sh", "-c", f'exec "{codex_binary}" app-server')
    opened = await open_console(dataclasses.replace(options, mode=Command(argv)))
    assert await opened.agent.models()


@pytest.fixture
async def remote(scratch: Scratch, codex_binary: Path) -> AsyncIterator[str]:
    """A host that listens on loopback and wants the token `secret`."""
    token = scratch.home / "token"
    token.write_text("secret")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [codex_binary, "app-server", "--listen", f"ws://127.0.0.1:{port}"]
    command += ["--ws-auth", "capability-token", "--ws-token-file", token]
    process = await asyncio.create_subprocess_exec(
        *command, env=scratch.env, stderr=asyncio.subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    assert process.stderr is not None
    async with asyncio.timeout(20):
        while str(port).encode() not in await process.stderr.readline():
            pass
    yield f"ws://127.0.0.1:{port}"
    process.kill()
    await process.communicate()


async def test_a_host_on_another_machine_is_reached_with_its_token(
    open_console: OpenConsole, options: HostOptions, remote: str
) -> None:
    opened = await open_console(dataclasses.replace(options, mode=Remote(remote, "secret")))
    thread = await opened.thread()
    await opened.heard.turn_end(await opened.say(thread, "/say hi"))
    assert not ready(opened).started_by_us
    assert (await opened.agent.status()).others is None

    agent = CodexAgent(dataclasses.replace(options, mode=Remote(remote, "guess")))
    with pytest.raises(HostUnavailable, match="token"):
        await agent.open()


async def test_a_machine_that_is_not_there_is_said_so(options: HostOptions) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    agent = CodexAgent(dataclasses.replace(options, mode=Remote(f"ws://127.0.0.1:{port}")))
    with pytest.raises(HostUnavailable, match="No Codex host listens"):
        await agent.open()


async def test_a_call_before_opening_and_after_closing_says_that_nobody_is_there(
    options: HostOptions,
) -> None:
    agent = CodexAgent(dataclasses.replace(options, mode=PrivateChild()))
    with pytest.raises(ConnectionLost):
        await agent.start_thread(ThreadSpec(cwd="/"))
    await agent.open()
    await agent.close()
    await agent.close()
    with pytest.raises(ConnectionLost):
        await agent.models()


async def test_a_folder_that_cannot_be_is_said_and_not_waited_for(
    options: HostOptions, tmp_path: Path
) -> None:
    with pytest.raises(HostUnavailable):
        await CodexAgent(dataclasses.replace(options, codex_home=tmp_path / ("h" * 300))).open()
