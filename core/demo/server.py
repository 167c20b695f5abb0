"""The scripted model: a Responses API on loopback, for a Codex that has no account and no network.

`python -m core.demo.server` prints `{"port": N}` when it listens, and ends on SIGTERM or when its stdin is
closed, so it never outlives the process that started it. It needs aiohttp, its owner does not.

    POST /v1/responses     what Codex calls
    POST /release/NAME     let go a `/hold NAME`, also one that comes later
    GET  /requests         what was asked so far (with --record), oldest first
    POST /reset            forget all of that
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import threading
from dataclasses import dataclass, field

from aiohttp import web

from core.demo.events import Cut, Emission, Event, Gate, Pause, Refusal, Response
from core.demo.request import ModelRequest, parse_request
from core.demo.scenarios import answer
from core.demo.turns import Turns
from core.errors import InvalidRequest

LARGEST_REQUEST = 1 << 30
"""Bytes. A history with images and long outputs comes whole in each request."""


@dataclass(slots=True)
class Record:
    """One request as `GET /requests` tells it. `outcome`: running, completed, refused, cut, or dropped by Codex."""

    request: ModelRequest
    outcome: str = "running"

    def as_json(self) -> dict[str, object]:
        request = self.request
        return {
            "thread_id": request.thread_id,
            "turn_id": request.turn_id,
            "kind": request.kind,
            "model": request.model,
            "said": [message.text for message in request.said],
            "outputs": [[output.call_id, output.text] for output in request.outputs],
            "tools": list(request.tools),
            "outcome": self.outcome,
        }


@dataclass(slots=True)
class Model:
    """`pace` is the seconds between two deltas; `record` keeps what was asked."""

    pace: float = 0.0
    record: bool = False
    turns: Turns = field(default_factory=lambda: Turns(answer))
    records: list[Record] = field(default_factory=list[Record])
    gates: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])
    answered: int = 0

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1/responses", self.respond),
            web.get("/requests", self.requests),
            web.post("/release/{name}", self.release),
            web.post("/reset", self.reset),
        ]

    async def requests(self, _: web.Request) -> web.Response:
        return web.json_response([record.as_json() for record in self.records])

    async def release(self, asked: web.Request) -> web.Response:
        self._gate(asked.match_info["name"]).set()
        return web.json_response({})

    async def reset(self, _: web.Request) -> web.Response:
        self.records.clear()
        self.gates.clear()
        self.turns.forget()
        return web.json_response({})

    async def respond(self, asked: web.Request) -> web.StreamResponse:
        try:
            request = parse_request(await asked.read())
        except InvalidRequest as error:
            return web.json_response({"error": {"message": str(error)}}, status=400)
        record = Record(request)
        if self.record:
            self.records.append(record)
        try:
            return await self._stream(asked, request, record)
        except (ConnectionError, asyncio.CancelledError):
            record.outcome = "dropped"
            raise

    async def _stream(self, asked: web.Request, request: ModelRequest, record: Record) -> web.StreamResponse:
        self.answered += 1
        response = Response(f"resp_{self.answered}", input_tokens=request.size // 4)
        reply = web.StreamResponse(headers={"content-type": "text/event-stream"})
        for emission in response.emit(self.turns.response(request)):
            if isinstance(emission, Refusal):
                record.outcome = "refused"
                return web.json_response(emission.body, status=emission.status)
            if not reply.prepared:
                await reply.prepare(asked)
            if isinstance(emission, Cut):
                record.outcome = "cut"
                if asked.transport is not None:
                    asked.transport.close()
                return reply
            await self._send(reply, emission)
        record.outcome = "completed"
        await reply.write_eof()
        return reply

    async def _send(self, reply: web.StreamResponse, emission: Emission) -> None:
        match emission:
            case Event(kind, data):
                text = json.dumps({"type": kind, **data}, ensure_ascii=False)
                await reply.write(f"event: {kind}\ndata: {text}\n\n".encode("utf-8", "replace"))
            case Pause(seconds):
                pace = self.pace if seconds is None else seconds
                if pace:
                    await asyncio.sleep(pace)
            case Gate(name):
                await self._gate(name).wait()
            case _:
                pass

    def _gate(self, name: str) -> asyncio.Event:
        return self.gates.setdefault(name, asyncio.Event())


async def serve(port: int, model: Model) -> None:
    """Serve until the owner ends it. Raises OSError if the port is taken."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    app = web.Application(client_max_size=LARGEST_REQUEST)
    app.add_routes(model.routes())
    runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        sys.stdout.write(json.dumps({"port": runner.addresses[0][1]}) + "\n")
        sys.stdout.flush()
        watch_stdin(loop, stop)
        await stop.wait()
    finally:
        await runner.cleanup()


def watch_stdin(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """Set `stop` when stdin ends. A thread, because stdin may be a pipe, a terminal or a file."""

    def read() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        loop.call_soon_threadsafe(stop.set)

    threading.Thread(target=read, daemon=True, name="stdin").start()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m core.demo.server", description="The scripted model.")
    parser.add_argument("--port", type=int, default=0, help="0: any free port")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between two deltas")
    parser.add_argument("--record", action="store_true", help="keep what is asked, for GET /requests")
    asked = parser.parse_args()
    try:
        asyncio.run(serve(asked.port, Model(pace=asked.pace, record=asked.record)))
    except OSError as error:
        sys.stderr.write(f"The scripted model cannot listen on port {asked.port}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
