"""The three ways that messages travel, over real pipes and sockets."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.server import ServerConnection

from core.codex.transport import ChildTransport, LineBuffer, Transport
from core.codex.websocket import connect_tcp, connect_unix
from core.errors import ConnectionLost, HostUnavailable
from core.process import identify
from tests.core.codex.peers import respond, tcp_peer, unix_peer

LONG = 50 * 1024 * 1024

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
LONG_LINE = (
    f"import sys\nsys.stdin.readline()\nprint('x' * {LONG})\nprint('after', flush=True)\nsys.stdin.read()"
)
DYING = "import sys; sys.stdin.readline(); print('its last words', file=sys.stderr); sys.exit(3)"
STUBBORN = "import signal, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('up', flush=True)\ntime.sleep(60)"


async def child(code: str, tmp_path: Path) -> ChildTransport:
    return await ChildTransport.start((sys.executable, "-c", code), {}, tmp_path / "child.log")


async def first(transport: Transport, count: int) -> list[bytes | str]:
    """The first messages."""
    found: list[bytes | str] = []
    async with asyncio.timeout(30):
        async for message in transport.messages():
            found.append(message)
            if len(found) == count:
                return found
    raise AssertionError(f"only {len(found)} came")


@given(st.lists(st.binary(max_size=8).map(lambda line: line.replace(b"\n", b"")), max_size=8), st.data())
def test_lines_are_the_same_however_the_bytes_are_cut(lines: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(line + b"\n" for line in lines) + b"rest"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    buffer, found = LineBuffer(), []
    for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += buffer.feed(stream[start:stop])
    assert found == lines


async def test_a_child_gets_and_gives_lines(tmp_path: Path) -> None:
    transport = await child(ECHO, tmp_path)
    await transport.send('{"a": "ü"}')
    await transport.send('{"b": 2}')
    assert [json.loads(line) for line in await first(transport, 2)] == [{"a": "ü"}, {"b": 2}]
    await transport.close()


async def test_a_line_of_fifty_megabytes_comes_whole_from_a_child(tmp_path: Path) -> None:
    transport = await child(LONG_LINE, tmp_path)
    await transport.send("go")
    long, after = await first(transport, 2)
    assert (len(long), after) == (LONG, b"after")
    await transport.close()


async def test_a_child_that_dies_says_how_with_its_last_words(tmp_path: Path) -> None:
    transport = await child(DYING, tmp_path)
    await transport.send("go")
    with pytest.raises(ConnectionLost) as lost:
        await first(transport, 1)
    assert "exit code 3" in lost.value.why
    assert "its last words" in lost.value.why
    with pytest.raises(ConnectionLost):
        for _ in range(1000):
            await transport.send("x" * 1000)
    await transport.close()


async def test_closing_ends_a_child_that_does_not_want_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.codex.transport.CLOSE_SECONDS", 0.2)
    transport = await child(STUBBORN, tmp_path)
    assert await first(transport, 1) == [b"up"]
    assert transport.peer_pid is not None
    await transport.close()
    await transport.close()
    assert identify(transport.peer_pid) is None


async def test_a_command_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(HostUnavailable, match="/nowhere/codex cannot be started"):
        await ChildTransport.start(("/nowhere/codex",), {}, tmp_path / "log")


async def test_the_log_of_a_child_is_for_our_eyes_and_the_one_before_is_kept(tmp_path: Path) -> None:
    for _ in range(2):
        transport = await child(DYING, tmp_path)
        await transport.send("go")
        with pytest.raises(ConnectionLost):
            await first(transport, 1)
        await transport.close()
    log = tmp_path / "child.log"
    assert log.stat().st_mode & 0o777 == 0o600
    assert "last words" in log.read_text()
    assert "last words" in (tmp_path / "child.log.1").read_text()


async def echo(peer: ServerConnection, message: dict[str, Any]) -> None:
    await respond(peer, message, {"echo": message["params"]})


async def long_answer(peer: ServerConnection, message: dict[str, Any]) -> None:
    await respond(peer, message, "x" * LONG)


async def hang_up(peer: ServerConnection, message: dict[str, Any]) -> None:
    del message
    await peer.close(reason="going home")


@pytest.fixture
async def socket_path(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Path]:
    folder = tmp_path_factory.mktemp("s")
    yield folder / "peer.sock"


async def test_a_unix_socket_carries_messages_and_tells_who_listens(socket_path: Path) -> None:
    async with unix_peer(socket_path, echo):
        transport = await connect_unix(socket_path)
        assert transport.peer_pid == os.getpid()
        await transport.send('{"id": 1, "params": "hi"}')
        (answer,) = await first(transport, 1)
        assert json.loads(answer) == {"id": 1, "result": {"echo": "hi"}}
        await transport.close()


async def test_a_message_of_fifty_megabytes_comes_whole_over_a_socket(socket_path: Path) -> None:
    async with unix_peer(socket_path, long_answer):
        transport = await connect_unix(socket_path)
        await transport.send('{"id": 1}')
        (answer,) = await first(transport, 1)
        assert len(answer) > LONG
        await transport.close()


async def test_a_peer_that_hangs_up_is_lost_with_its_reason(socket_path: Path) -> None:
    async with unix_peer(socket_path, hang_up):
        transport = await connect_unix(socket_path)
        await transport.send("{}")
        with pytest.raises(ConnectionLost, match="going home"):
            await first(transport, 1)
        with pytest.raises(ConnectionLost):
            await transport.send("{}")
        await transport.close()


async def test_a_token_opens_a_far_host(socket_path: Path) -> None:
    async with tcp_peer(echo, "secret") as url:
        transport = await connect_tcp(url, "secret")
        assert transport.peer_pid is None
        await transport.send('{"id": 1, "params": "hi"}')
        assert json.loads((await first(transport, 1))[0])["result"] == {"echo": "hi"}
        await transport.close()


async def test_a_wrong_token_is_said_to_be_the_reason() -> None:
    async with tcp_peer(echo, "secret") as url:
        with pytest.raises(HostUnavailable, match="token is wrong or missing") as refused:
            await connect_tcp(url, "guess")
        assert "guess" not in str(refused.value)


async def test_an_address_that_is_none_is_said_so() -> None:
    with pytest.raises(HostUnavailable, match="not the address of a host"):
        await connect_tcp("http://127.0.0.1:1", None)


async def test_something_else_that_listens_is_no_host(socket_path: Path) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"220 a mail server\r\n\r\n")
        await writer.drain()
        await reader.read()
        writer.close()

    server = await asyncio.start_unix_server(talk, str(socket_path))
    async with server:
        with pytest.raises(HostUnavailable, match="is no Codex host"):
            await connect_unix(socket_path)
