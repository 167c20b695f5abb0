"""Rollout files made by code: whole ones in Codex's format, and broken ones."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Json = dict[str, Any]
AT = "2026-03-04T05:06:07.000Z"


def thread_id(number: int) -> str:
    return str(uuid.UUID(int=(0x01A0 << 112) + (0x7 << 76) + (0x8 << 60) + number))


def path_of(home: Path, number: int) -> Path:
    """Where Codex would have this thread's file."""
    folder = home / "sessions" / "2026" / "03" / "04"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"rollout-2026-03-04T05-06-07-{thread_id(number)}.jsonl"


def header(number: int, **changes: Any) -> Json:
    payload = {
        "id": thread_id(number),
        "session_id": thread_id(number),
        "timestamp": AT,
        "cwd": "/somewhere/harbour",
        "originator": "codex_exec",
        "cli_version": "0.163.0",
        "source": "exec",
        "model_provider": "scripted",
        "history_mode": "paginated",
        "git": {"branch": "main"},
    }
    return {"timestamp": AT, "ordinal": 0, "type": "session_meta", "payload": {**payload, **changes}}


def event(ordinal: int, item: Json, turn: str = "turn-1") -> Json:
    payload = {"type": "item_completed", "thread_id": "t", "turn_id": turn, "item": item}
    return {"timestamp": AT, "ordinal": ordinal, "type": "event_msg", "payload": payload}


def said(ordinal: int, text: str) -> Json:
    return event(
        ordinal, {"type": "UserMessage", "id": f"u{ordinal}", "content": [{"type": "text", "text": text}]}
    )


def answered(ordinal: int, text: str) -> Json:
    content = [{"type": "Text", "text": text}]
    return event(ordinal, {"type": "AgentMessage", "id": f"a{ordinal}", "content": content})


def ran(ordinal: int, command: str, output: str) -> Json:
    words = ["/bin/bash", "-lc", command]
    item = {"type": "CommandExecution", "id": f"c{ordinal}", "command": words, "aggregated_output": output}
    return event(ordinal, item)


def lines(entries: Iterable[Json]) -> bytes:
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


def whole(number: int, word: str) -> bytes:
    return lines(
        [header(number), said(1, f"Where is the {word}?"), answered(2, f"The {word} is at the quay.")]
    )


def torn(number: int) -> bytes:
    return whole(number, "tornboat") + b'{"timestamp":"2026-03-04T05:06:08Z","type":"event_msg","payl'


def with_nul(number: int) -> bytes:
    return whole(number, "nulboat") + b"\0" * 4096


def with_bad_utf8(number: int) -> bytes:
    return whole(number, "badboat").replace(b"quay", b"qu\xff\xfey")


def without_header(number: int) -> bytes:
    return lines([said(1, "Where is the headlessboat?"), answered(2, "It has no head.")])


def with_duplicates(number: int) -> bytes:
    return whole(number, "twiceboat") + lines([answered(2, "The twiceboat is at the quay.")])


def with_unknown_types(number: int) -> bytes:
    strange = {"timestamp": AT, "ordinal": 3, "type": "from_the_future", "payload": {"text": "unseen"}}
    later = event(4, {"type": "Hologram", "id": "h4", "caption": "a holographic strangeboat"})
    return whole(number, "strangeboat") + lines([strange, later])


def empty(number: int) -> bytes:
    return b""


def garbage(number: int) -> bytes:
    return bytes(range(256)) * 64


BROKEN: dict[str, Callable[[int], bytes]] = {
    "torn": torn,
    "nul": with_nul,
    "bad utf-8": with_bad_utf8,
    "no header": without_header,
    "duplicates": with_duplicates,
    "unknown types": with_unknown_types,
    "empty": empty,
    "garbage": garbage,
}


def write_broken(home: Path) -> dict[str, Path]:
    """One file of each kind, by its name."""
    made: dict[str, Path] = {}
    for number, (name, bytes_of) in enumerate(BROKEN.items(), start=1):
        made[name] = path_of(home, number)
        made[name].write_bytes(bytes_of(number))
    return made


def write_large(path: Path, number: int, megabytes: int) -> None:
    """A long session: a command with output, an answer, and what the model had of both, again and again.

    The proportions are those of a real rollout: two thirds of it are the model's side and counters.
    """
    with path.open("wb") as file:
        file.write(lines([header(number), said(1, "Sail to the far largeboat.")]))
        ordinal = 2
        output = "".join(
            f"{row:04} wind from the north at {row % 40} knots, sea moderate\n" for row in range(64)
        )
        while file.tell() < megabytes * 1_000_000:
            model_side = {"type": "function_call_output", "call_id": f"c{ordinal}", "output": output}
            file.write(
                lines(
                    [
                        {"timestamp": AT, "ordinal": ordinal, "type": "response_item", "payload": model_side},
                        ran(ordinal + 1, f"./sail --leg {ordinal}", output),
                        answered(
                            ordinal + 2,
                            f"Leg {ordinal} is done. " + "The crew is well and the sails are set. " * 8,
                        ),
                        {
                            "timestamp": AT,
                            "ordinal": ordinal + 3,
                            "type": "event_msg",
                            "payload": {
                                "type": "token_count",
                                "info": {"total_token_usage": {"input_tokens": 5}},
                            },
                        },
                    ]
                )
            )
            ordinal += 4
