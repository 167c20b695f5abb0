"""The smallest client that drives a real `codex app-server` over stdio."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.demo.scratch import Scratch

Json = dict[str, Any]
SECONDS = 30


@dataclass
class Codex:
    """`answers` maps a server request's method to what is answered; a method that is not in it stays open."""

    process: asyncio.subprocess.Process
    project: Path
    answers: dict[str, Callable[[Json], Json]] = field(default_factory=dict)
    seen: list[Json] = field(default_factory=list)
    thread: str = ""
    _last_id: int = 0

    async def call(self, method: str, **params: Any) -> Json:
        self._last_id += 1
        mine = self._last_id
        self._send({"id": mine, "method": method, "params": params})
        reply = await self._until(lambda message: "method" not in message and message["id"] == mine)
        assert "result" in reply, reply
        return reply["result"]

    async def until(self, method: str, **wanted: Any) -> Json:
        """The params of the next message of that method whose params have `wanted`; may have come already."""
        for message in self.seen:
            if _fits(message, method, wanted):
                return message["params"]
        return (await self._until(lambda message: _fits(message, method, wanted)))["params"]

    def answer(self, asked: Json, result: Json) -> None:
        """Answer a request that was left open; `asked` are its params."""
        request = next(message for message in self.seen if message.get("params") is asked)
        self._send({"id": request["id"], "result": result})

    async def start_thread(self, **params: Any) -> str:
        started = await self.call("thread/start", cwd=str(self.project), **params)
        self.thread = started["thread"]["id"]
        return self.thread

    async def start_turn(self, text: str, **params: Any) -> str:
        said = [{"type": "text", "text": text}]
        return (await self.call("turn/start", threadId=self.thread, input=said, **params))["turn"]["id"]

    async def end_of_turn(self, turn: str) -> Json:
        """The turn once it has completed, as `turn/completed` tells it."""
        completed = await self._until_completed(turn)
        return completed["turn"]

    async def play(self, text: str, **params: Any) -> Json:
        """Say it and wait for the end of the turn."""
        return await self.end_of_turn(await self.start_turn(text, **params))

    def items(self, kind: str, thread: str | None = None) -> list[Json]:
        """The completed items of a kind in a thread (default: the one started last)."""
        completed = (m["params"] for m in self.seen if m.get("method") == "item/completed")
        return [
            params["item"]
            for params in completed
            if params["item"]["type"] == kind and params["threadId"] == (thread or self.thread)
        ]

    def texts(self) -> list[str]:
        """What the model answered, message by message."""
        return [item["text"] for item in self.items("agentMessage")]

    def of(self, method: str) -> list[Json]:
        """The params of every message of a method so far."""
        return [message["params"] for message in self.seen if message.get("method") == method]

    async def _until_completed(self, turn: str) -> Json:
        for params in self.of("turn/completed"):
            if params["turn"]["id"] == turn:
                return params
        found = await self._until(
            lambda m: m.get("method") == "turn/completed" and m["params"]["turn"]["id"] == turn
        )
        return found["params"]

    async def _until(self, wanted: Callable[[Json], bool]) -> Json:
        assert self.process.stdout is not None
        async with asyncio.timeout(SECONDS):
            while True:
                line = await self.process.stdout.readline()
                assert line, "codex has ended"
                message = json.loads(line)
                self.seen.append(message)
                if "method" in message and "id" in message and message["method"] in self.answers:
                    result = self.answers[message["method"]](message["params"])
                    self._send({"id": message["id"], "result": result})
                if wanted(message):
                    return message

    def _send(self, message: Json) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")


def _fits(message: Json, method: str, wanted: Json) -> bool:
    params = message.get("params", {})
    return message.get("method") == method and all(params.get(key) == value for key, value in wanted.items())


@asynccontextmanager
async def running_codex(binary: Path, scratch: Scratch) -> AsyncGenerator[Codex]:
    """A Codex with a thread started; it is gone afterwards."""
    process = await asyncio.create_subprocess_exec(
        binary,
        "app-server",
        env=scratch.env,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=1 << 26,
    )
    try:
        codex = Codex(process, scratch.project)
        await codex.call(
            "initialize",
            clientInfo={"name": "test", "title": "test", "version": "0"},
            capabilities={"experimentalApi": True},
        )
        codex._send({"method": "initialized"})
        await codex.start_thread()
        yield codex
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 5)
        except TimeoutError:
            process.kill()
            await process.wait()
