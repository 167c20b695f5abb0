"""A campaign: lives of a console on one database and one scratch, each cut short, then one that ends well."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.demo.scratch import Scratch
from core.engine import DATABASE
from core.settings import HostSettings, Settings
from core.thread.boxes import ASSISTANT, ChatBox
from tests.crash.owed import Owed, answers
from tests.crash.plan import Cycle, Kill, Message, cycles

PATIENCE = 45.0
STREAM_SECONDS = 0.25
SLACK_SECONDS = 0.5
"""On a busy machine a write that is due takes a moment; text younger than this beyond the rule is not held
against us."""

END = Cycle((Message("kend", "/say the end"),), "accept", None)


@dataclass
class Story:
    """What the lives said was durable."""

    accepted: list[Message] = field(default_factory=list)
    sent: list[Message] = field(default_factory=list)
    decided: set[int] = field(default_factory=set)
    kills: int = 0
    steps: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    problems: list[str] = field(default_factory=list)


class Console:
    """A child process that lives one cycle; its reports come through a queue."""

    def __init__(self, orders: dict[str, Any], env: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
            text=True,
        )
        self.reports: queue.Queue[tuple[float, dict[str, Any]] | None] = queue.Queue()
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(orders) + "\n")
        self._process.stdin.flush()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with contextlib.suppress(ValueError):
                self.reports.put((time.monotonic(), json.loads(line)))
        self.reports.put(None)

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> None:
        """Wait for its end."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(5)


class Campaign:
    def __init__(self, seed: int, scratch: Scratch, data_dir: Path, codex: Path) -> None:
        self._seed = seed
        self._scratch = scratch
        self._data_dir = data_dir
        self.settings = Settings(data_dir=data_dir, host=HostSettings(codex=codex, codex_home=scratch.home))
        self.story = Story()
        self.owed = Owed()
        self._host = 0

    def run(self, kills: int) -> Story:
        for cycle in cycles(self._seed, kills):
            self._live(cycle)
        self._live(END)
        return self.story

    def _live(self, cycle: Cycle) -> None:
        console = Console(self._orders(cycle), {**os.environ, "PYTHONPATH": str(Path.cwd())})
        self.story.sent.extend(cycle.messages)
        streamed: list[tuple[float, str, str]] = []
        died = self._watch(console, cycle, streamed)
        console.end()
        if cycle.kill is not None:
            self.story.kills += 1
            self._check_stream(streamed, died)

    def _watch(self, console: Console, cycle: Cycle, streamed: list[tuple[float, str, str]]) -> float:
        """Take reports until this life is over; returns when it was killed."""
        axe: float | None = None
        patience = time.monotonic() + PATIENCE
        while True:
            wait = max(0.0, min(axe or patience, patience) - time.monotonic())
            try:
                entry = console.reports.get(timeout=wait)
            except queue.Empty:
                if axe is None:
                    self.story.problems.append(f"seed {self._seed}: a life did not come to an end: {cycle}")
                    console.kill()
                    return time.monotonic()
                self._strike(cycle.kill, console)
                if cycle.kill is None or cycle.kill.victim != "host":
                    return time.monotonic()
                axe = None
                continue
            if entry is None:
                return time.monotonic()
            at, report = entry
            match report["what"]:
                case "ready":
                    self._host = report["host"]
                    if cycle.kill is not None:
                        axe = at + cycle.kill.seconds
                case "stands":
                    self._check_standing(report["streaming"], report["recorded"])
                    streamed[:] = [(at, item, text) for item, text in report["streaming"].items()]
                case "streamed":
                    streamed.append((at, report["item"], report["text"]))
                case "settled":
                    if cycle.kill is not None:
                        console.kill()
                        return at
                case _:
                    self._note(report, cycle)

    def _note(self, report: dict[str, Any], cycle: Cycle) -> None:
        match report["what"]:
            case "accepted":
                self.story.accepted.extend(m for m in cycle.messages if m.key == report["key"])
            case "kept":
                self.owed.add(report["item"], report["text"])
            case "decided":
                self.story.decided.add(report["id"])
            case "broke":
                self.story.problems.append(f"seed {self._seed}: a life broke: {report['error']}")
            case "killed":
                self.story.steps[report["at"]] += 1
            case _:
                pass

    def _strike(self, kill: Kill | None, console: Console) -> None:
        if kill is None:
            return
        self.story.steps[f"random.{kill.victim}"] += 1
        if kill.victim in ("engine", "both"):
            console.kill()
        if kill.victim in ("host", "both") and self._host:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._host, signal.SIGKILL)

    def _orders(self, cycle: Cycle) -> dict[str, Any]:
        return {
            "settings": self.settings.model_dump(mode="json"),
            "data_dir": str(self._data_dir),
            "project": str(self._scratch.project),
            "cycle": cycle.dump(),
            "quit": cycle.kill is None,
        }

    def _check_stream(self, streamed: list[tuple[float, str, str]], died: float) -> None:
        """What was shown is on disk, but for its last moment (DESIGN, What must hold, 3)."""
        shown: dict[str, str] = defaultdict(str)
        due: dict[str, int] = defaultdict(int)
        for at, item, text in streamed:
            shown[item] += text
            if at < died - STREAM_SECONDS - SLACK_SECONDS:
                due[item] = len(shown[item])
        with sqlite3.connect(self._data_dir / DATABASE) as database:
            chunks: dict[str, str] = defaultdict(str)
            for item, text in database.execute("SELECT item_id, text FROM chunks ORDER BY rowid"):
                chunks[item] += text
            rows = database.execute(
                "SELECT box_id, box_type, contents, hidden_type, hidden_contents FROM records "
                "WHERE box_type = ?",
                (ASSISTANT,),
            ).fetchall()
        owed = Owed()
        for item, length in due.items():
            owed.add(item, shown[item][:length])
        missing = owed.missing(chunks, answers(ChatBox(*row) for row in rows))
        self.story.problems += [f"seed {self._seed}: on disk: {problem}" for problem in missing]

    def _check_standing(self, streaming: dict[str, str], recorded: dict[str, str]) -> None:
        """What earlier lives had on disk is what this one shows, from its first moment on."""
        missing = self.owed.missing(streaming, recorded)
        self.story.problems += [f"seed {self._seed}: at the start: {problem}" for problem in missing]
