"""What is found of a decision."""

from __future__ import annotations

import json

from core.sessions.texts import decision_text

ASKED = {
    "key": {"generation": "25953-1", "id": 0},
    "thread_id": "01a22cc6",
    "asked_at_ms": 1796047571225,
    "kind": "command",
    "command": "/bin/bash -lc 'printf \"høst\\n\" > boats.txt'",
    "cwd": "/home/dev/harbour",
    "reason": "It leaves the sandbox.",
    "proposed_rule": ["printf"],
    "choices": [{"verb": "accept", "label": "Accept", "raw": '"accept"'}],
}
ANSWERED = {"message": "once", "kind": "decide", "choice": ASKED["choices"][0]}  # type: ignore[index]


def test_a_decision_is_found_by_what_was_shown_and_said_and_by_nothing_of_the_json_around_it() -> None:
    text = decision_text(3, json.dumps(ASKED), json.dumps(ANSWERED), 5)
    assert text.text.split("\n") == [
        "/bin/bash -lc 'printf \"høst\\n\" > boats.txt'",
        "/home/dev/harbour",
        "It leaves the sandbox.",
        "once",
        "Accept",
    ]


def test_what_nobody_decided_is_found_by_what_was_asked() -> None:
    assert decision_text(3, json.dumps(ASKED), "", 5).text.endswith("It leaves the sandbox.")
