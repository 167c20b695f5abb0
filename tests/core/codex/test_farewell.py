"""What becomes of the host at quit and on command, on the real Codex."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection

from core.agent.events import Delta, TurnStarted
from core.codex import farewell, link, status, websocket
from core.codex.client import CodexAgent
from core.codex.farewell import Released, stop_host
from core.codex.options import HostOptions, PrivateChild, SocketPath
from core.codex.record import HostRecord
from core.codex.standing import Standing
from core.codex.status import host_status
from core.demo.leftovers import control_socket
from core.demo.scratch import Scratch
from core.errors import Conflict, HostUnavailable, Unsupported
from core.process import ProcessId, gone, identify
from tests.core.codex.conftest import Console, OpenConsole, freeze
from tests.core.codex.peers import respond, unix_peer


async def pid_of(console: Console) -> int:
    pid = (await console.agent.status()).pid
    assert pid is not None
    return pid


async def finished_thread(console: Console) -> str:
    """A thread with one finished turn, unsubscribed from."""
    thread = await console.thread()
    await console.heard.turn_end(await console.say(thread, "/say hi"))
    await console.agent.unsubscribe(thread)
    return thread


async def test_our_host_that_nobody_needs_is_ended(console: Console, options: HostOptions) -> None:
    pid = await pid_of(console)
    await finished_thread(console)
    assert await console.agent.release() == Released(ended=True)
    assert identify(pid) is None
    assert await host_status(options) is None


async def test_our_host_is_known_as_ours_to_the_next_console(
    console: Console, open_console: OpenConsole
) -> None:
    pid = await pid_of(console)
    await console.agent.close()
    later = await open_console()
    assert await later.agent.release() == Released(ended=True)
    assert identify(pid) is None


async def test_a_running_turn_keeps_the_host_and_goes_on(
    console: Console, open_console: OpenConsole, scratch: Scratch
) -> None:
    pid = await pid_of(console)
    thread = await console.thread()
    turn = await console.say(thread, "/say one\n/hold gate\n/say two")
    await console.heard.next(Delta)
    await console.agent.unsubscribe(thread)
    assert await console.agent.release() == Released(False, "1 turn still runs")
    assert identify(pid) is not None

    later = await open_console()
    await later.agent.resume_thread(thread)
    await scratch.model.release("gate")
    await later.heard.turn_end(turn)


async def test_a_pending_request_keeps_the_host(console: Console, open_console: OpenConsole) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! true")
    first = await console.heard.request()
    await console.agent.unsubscribe(thread)
    released = await console.agent.release()
    assert not released.ended
    assert "still" in released.reason

    later = await open_console()
    await later.agent.resume_thread(thread)
    assert await later.heard.request() == first
    await later.agent.interrupt(thread, turn)
    await later.heard.turn_end(turn)


async def test_a_command_in_the_background_keeps_the_host(console: Console) -> None:
    thread = await console.thread()
    await console.heard.turn_end(await console.say(thread, "/background sleep 3600"))
    await console.agent.unsubscribe(thread)
    assert await console.agent.release() == Released(
        False, "A command still runs in the background: sleep 3600"
    )


async def test_another_console_keeps_the_host(console: Console, open_console: OpenConsole) -> None:
    other = await open_console()
    assert await console.agent.release() == Released(False, "1 other program is connected")
    assert await other.agent.models()
    assert await other.agent.release() == Released(ended=True)


async def test_where_the_system_does_not_count_clients_a_thread_that_is_not_ours_keeps_the_host(
    console: Console, open_console: OpenConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status, "connections_to", lambda _: None)
    await finished_thread(console)
    other = await open_console()
    assert await other.agent.release() == Released(False, "Another program may use it")
    assert await console.agent.release() == Released(ended=True)


async def test_a_host_that_another_program_started_stays(
    console: Console, open_console: OpenConsole, options: HostOptions, tmp_path: Path
) -> None:
    stranger = await open_console(dataclasses.replace(options, state_dir=tmp_path / "of-another"))
    await console.agent.close()
    assert await stranger.agent.release() == Released(False, "The Codex host was started by another program")
    assert await host_status(options) is not None


async def test_a_private_child_ends_with_its_console(open_console: OpenConsole, options: HostOptions) -> None:
    opened = await open_console(dataclasses.replace(options, mode=PrivateChild()))
    pid = await pid_of(opened)
    assert await opened.agent.release() == Released(ended=True)
    assert identify(pid) is None


async def test_releasing_a_host_that_is_gone_is_no_trouble(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.codex.link.FIRST_PAUSE", 60.0)
    process = identify(await pid_of(console))
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    assert await gone(process, 5)
    assert await console.agent.release() == Released(ended=False)


async def test_a_host_that_was_started_and_not_met_yet_is_ended(
    options: HostOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = asyncio.Event()

    async def never_introduced(*_: object) -> Standing:
        started.set()
        return await asyncio.Future[Standing]()

    monkeypatch.setattr(link, "introduce", never_introduced)
    agent = CodexAgent(options)
    opening = asyncio.create_task(agent.open())
    async with asyncio.timeout(20):
        await started.wait()
    opening.cancel()
    await asyncio.gather(opening, return_exceptions=True)
    seen = await host_status(options)
    assert seen is not None
    assert await agent.release() == Released(ended=True)
    assert identify(seen.pid or 0) is None


async def test_of_two_consoles_that_let_go_at_once_the_last_ends_the_host(
    console: Console, open_console: OpenConsole
) -> None:
    pid = await pid_of(console)
    other = await open_console()
    released = await asyncio.gather(console.agent.release(), other.agent.release())
    assert released == [Released(False, "1 other program is connected"), Released(ended=True)]
    assert identify(pid) is None


def test_the_end_of_one_host_leaves_the_note_of_the_one_that_was_started_since(options: HostOptions) -> None:
    record = HostRecord(options)
    ended, since = ProcessId(11, "1"), ProcessId(12, "2")
    record.note_started(since)
    record.forget(ended)
    assert record.started(since)
    record.forget(since)
    assert not record.started(since)


async def test_a_host_that_hangs_does_not_hold_up_the_quitting(
    open_console: OpenConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(farewell, "ASK_SECONDS", 0.1)
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 0.1)
    console = await open_console()
    pid = await pid_of(console)
    freeze(pid)
    try:
        released = await console.agent.release()
    finally:
        os.kill(pid, signal.SIGCONT)
    assert not released.ended
    assert "does not say" in released.reason


async def test_the_status_of_a_host_tells_what_it_does(console: Console, options: HostOptions) -> None:
    thread = await console.thread()
    turn = await console.say(thread, "/run! true")
    await console.heard.request()
    seen = await host_status(options)
    assert seen is not None
    assert seen.pid == await pid_of(console)
    assert (seen.active_turns, seen.pending_requests, seen.loaded) == (1, 1, (thread,))
    assert (seen.others, seen.started_by_us) == (1, True)
    assert seen.socket == control_socket(options.codex_home).resolve()
    await console.agent.interrupt(thread, turn)
    await console.heard.turn_end(turn)


async def test_asking_for_the_status_starts_nothing(options: HostOptions) -> None:
    assert await host_status(options) is None
    assert await stop_host(options) is None
    assert not control_socket(options.codex_home).exists()


async def test_a_host_that_is_idle_is_stopped_on_command(console: Console, options: HostOptions) -> None:
    pid = await pid_of(console)
    await finished_thread(console)
    await console.agent.close()
    stopped = await stop_host(options)
    assert stopped is not None
    assert stopped.pid == pid
    assert identify(pid) is None


async def test_a_host_that_is_needed_is_stopped_by_force_only(console: Console, options: HostOptions) -> None:
    pid = await pid_of(console)
    thread = await console.thread()
    await console.say(thread, "/hold for-ever")
    await console.heard.next(TurnStarted)
    with pytest.raises(Conflict, match="1 turn still runs"):
        await stop_host(options)
    assert identify(pid) is not None
    await console.agent.close()
    assert await stop_host(options, force=True) is not None
    assert identify(pid) is None


async def test_a_host_that_hangs_is_stopped_by_force_only(
    console: Console, options: HostOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "CONNECT_SECONDS", 0.1)
    monkeypatch.setattr(farewell, "END_SECONDS", 0.4)
    pid = await pid_of(console)
    await console.agent.close()
    freeze(pid)
    with pytest.raises(HostUnavailable, match="does not answer"):
        await stop_host(options)
    assert identify(pid) is not None
    assert await stop_host(options, force=True) is None
    assert identify(pid) is None


async def test_a_host_that_falls_silent_is_said_to(
    options: HostOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def greet_only(peer: ServerConnection, message: dict[str, object]) -> None:
        if message.get("method") == "initialize":
            await respond(peer, message, {"userAgent": "codex/9.9.9"})

    monkeypatch.setattr(status, "ASK_SECONDS", 0.1)
    path = tmp_path / "silent.sock"
    async with unix_peer(path, greet_only):
        silent = dataclasses.replace(options, mode=SocketPath(path))
        with pytest.raises(HostUnavailable, match="does not answer"):
            await host_status(silent)
        with pytest.raises(HostUnavailable, match="does not answer"):
            await stop_host(silent, force=True)


async def test_a_host_elsewhere_is_not_stopped_from_here(options: HostOptions, tmp_path: Path) -> None:
    async def elsewhere(peer: ServerConnection, message: dict[str, object]) -> None:
        answers = {
            "initialize": {"userAgent": "codex/9.9.9"},
            "server/diagnostics": {"process": {"id": 1}, "gauges": []},
            "thread/loaded/list": {"data": []},
        }
        if "id" in message:
            await respond(peer, message, answers[str(message["method"])])

    path = tmp_path / "far.sock"
    async with unix_peer(path, elsewhere):
        far = dataclasses.replace(options, mode=SocketPath(path))
        with pytest.raises(Unsupported, match="not run on this machine"):
            await stop_host(far, force=True)
        agent = CodexAgent(far)
        await agent.open()
        assert await agent.release() == Released(False, "The Codex host runs elsewhere")
