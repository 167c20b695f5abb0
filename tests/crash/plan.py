"""What a campaign does, from its seed: messages, decisions, and where the axe falls."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass

STEPS = (
    "append.before",
    "append.after",
    "chunks.before",
    "chunks.after",
    "start_turn.before",
    "start_turn.after",
    "steer.before",
    "steer.after",
    "decide.before",
    "decide.after",
    "answer.before",
    "answer.after",
    "start_thread.after",
    "resume_thread.after",
)
"""The named steps: before and after each write, send and answer."""


KINDS = ("say", "stream", "long", "run", "approve", "tool", "steer", "queue", "patch", "stop")
_LEADS_TO = {
    "chunks": ("long",),
    "steer": ("stream", "steer"),
    "decide": ("approve",),
    "answer": ("approve",),
}
"""What a life must send to come to a step at all."""


@dataclass(frozen=True, slots=True)
class Kill:
    """`victim`: engine, host or both. `step` "" means after `seconds`; else at the `count`-th such step."""

    victim: str
    seconds: float
    step: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Message:
    """`steer`: sent while the one before it runs; `queue`: to wait for its end.

    `stop`: as the person does who then interrupts, and what waits comes back into the composer. `mark`: the line that it writes to `marks.txt` if it runs."""

    key: str
    text: str
    steer: bool = False
    queue: bool = False
    stop: bool = False
    mark: str = ""
    approval: bool = False
    tool: bool = False


@dataclass(frozen=True, slots=True)
class Cycle:
    """One life of the console: what it sends, how it decides, and how it ends. No kill: it lives.

    `halt`: it begins by interrupting what it finds running.
    """

    messages: tuple[Message, ...]
    verdict: str
    kill: Kill | None
    halt: bool = False

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Cycle:
        raw = json.loads(text)
        kill = Kill(**raw["kill"]) if raw["kill"] else None
        messages = tuple(Message(**message) for message in raw["messages"])
        return cls(messages, raw["verdict"], kill, raw["halt"])


def cycles(seed: int, count: int) -> list[Cycle]:
    """`count` lives that are cut short, from a seed: every other one at a named step, in rotation."""
    rng = random.Random(seed)
    made: list[Cycle] = []
    number = 0
    for index in range(count):
        step = STEPS[(seed * count + index) // 2 % len(STEPS)] if index % 2 == 0 else ""
        kinds = _LEADS_TO.get(step.partition(".")[0], ()) + tuple(rng.choices(KINDS, k=rng.randint(1, 2)))
        messages: list[Message] = []
        for kind in kinds:
            number += 1
            messages.append(_message(kind, rng, seed, number))
        verdict = rng.choice(("accept", "accept", "decline"))
        kill = _kill(step, 1.5 if "long" in kinds else 0.9, rng)
        made.append(Cycle(tuple(messages), verdict, kill, halt=rng.random() < 0.4))
    return made


def _message(kind: str, rng: random.Random, seed: int, number: int) -> Message:
    name = f"{number:04d}"
    key = f"k{seed}-{name}"
    mark = f"mark-{name}"
    match kind:
        case "stream":
            return Message(key, f"/stream {rng.randint(60, 160)} at 150\n/say end of {name}")
        case "long":
            # It outlives its console: the next one finds it in the middle.
            return Message(key, f"/stream 400 at 80\n/say end of {name}")
        case "run":
            return Message(key, f"/think about {name}\n/run sleep 0.1; echo {mark}\n/say ran {name}")
        case "approve":
            text = f"/run! echo {mark} >> marks.txt; sleep 0.1\n/say decided {name}"
            return Message(key, text, mark=mark, approval=True)
        case "tool":
            return Message(key, f'/tool mark {{"mark": "{mark}"}}\n/say tool {name}', mark=mark, tool=True)
        case "steer":
            return Message(key, f"remark {name}", steer=True)
        case "queue":
            return Message(key, f"/say later {name}", steer=True, queue=True)
        case "stop":
            return Message(key, f"/say after all {name}", steer=True, queue=True, stop=True)
        case "patch":
            text = (
                f"/patch\n*** Begin Patch\n*** Add File: p{name}.txt\n+{mark}\n*** End Patch\n/say ok {name}"
            )
            return Message(key, text, approval=True)
        case _:
            return Message(key, f"/say answer {name}")


def _kill(step: str, seconds: float, rng: random.Random) -> Kill:
    """At a step, or at a random instant within so many seconds."""
    if step:
        return Kill("engine", 4.0, step, rng.choice((1, 1, 1, 2, 3)))
    return Kill(rng.choices(("engine", "host", "both"), (5, 3, 2))[0], rng.uniform(0.0, seconds))
