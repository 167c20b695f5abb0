"""What the tests of the store share: boxes by number, a store with conversations, other processes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from core.store.store import Store
from core.thread.boxes import BoxId, ChatBox
from core.thread.records import BoxRecord, EventRecord, Record

ROOT = Path(__file__).parents[3]
WORKSPACE = "w"
PATIENCE_S = 20.0
_NOBODY = 65534


def box(number: int, contents: str | None = None) -> BoxRecord:
    """Box `number`; its contents follow from the number unless given."""
    text = contents_of(number) if contents is None else contents
    return BoxRecord(ChatBox(BoxId(number), "assistant", text, "item", f'{{"number":{number}}}'))


def contents_of(number: int) -> str:
    """Up to about 3 kB, so that some boxes need more than one page."""
    return f"box {number} " + "x" * (number * 37 % 3000)


def event(after_box_id: int, index: int = 1, kind: str = "llm_done") -> EventRecord:
    return EventRecord(after_box_id, index, kind, '{"resume":false}')


def boxes(numbers: Iterable[int]) -> list[Record]:
    return [box(number) for number in numbers]


async def add_conversations(store: Store, *names: str) -> None:
    if await store.workspaces.find("/somewhere") is None:
        await store.workspaces.create(WORKSPACE, "/somewhere")
    for name in names:
        await store.conversations.create(name, WORKSPACE, 1)


@asynccontextmanager
async def open_store(path: Path, clock: Callable[[], int] = lambda: 1_000) -> AsyncGenerator[Store]:
    store = await Store.open(path, console="test", clock=clock)
    try:
        yield store
    finally:
        await store.close()


@contextmanager
def not_root() -> Generator[None]:
    """Without root's right to write everywhere, where the tests run as root."""
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        if was_root:
            os.seteuid(0)


class Child:
    """Another process at the database, running `tests.core.store.child`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.said: list[str] = []

    async def line(self) -> str:
        """The next line it says; "" when it has ended."""
        assert self._process.stdout is not None
        raw = await asyncio.wait_for(self._process.stdout.readline(), PATIENCE_S)
        line = raw.decode()
        if line.endswith("\n"):
            self.said.append(line.rstrip("\n"))
        return line.rstrip("\n")

    async def lines(self, count: int) -> None:
        for _ in range(count):
            assert await self.line(), "the child ended early"

    async def expect(self, text: str) -> None:
        """Wait until it says this line."""
        while (line := await self.line()) != text:
            assert line, f"the child ended before it said {text!r}"

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    async def kill(self) -> None:
        """SIGKILL, and hear out what it had said before."""
        if self._process.returncode is None:
            self._process.kill()
        while await self.line():
            pass
        await asyncio.wait_for(self._process.wait(), PATIENCE_S)

    @contextmanager
    def stopped(self) -> Generator[None]:
        """Frozen in the middle of whatever it does."""
        pid = self._process.pid
        self._process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOWAIT)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)


@asynccontextmanager
async def child(mode: str, path: Path, *arguments: str) -> AsyncGenerator[Child]:
    command: Sequence[str] = (sys.executable, "-m", "tests.core.store.child", mode, str(path), *arguments)
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    running = Child(process)
    try:
        yield running
    finally:
        await running.kill()
