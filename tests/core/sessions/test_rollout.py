"""Rollout files: whole, broken, enormous, and any bytes at all."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.sessions.disk import find_rollouts
from core.sessions.listing import UNLISTED, facts_of_file
from core.sessions.model import Kind
from core.sessions.rollout import BATCH_CHARACTERS, LONGEST_LINE, Report, read_head, read_texts
from tests.core.sessions import rollouts


def _texts(path: Path, report: Report | None = None) -> list[str]:
    return [text.text for batch in read_texts(path, report=report) for text in batch.texts]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def test_a_whole_file_is_read(home: Path) -> None:
    path = rollouts.path_of(home, 1)
    path.write_bytes(rollouts.whole(1, "ferry") + rollouts.lines([rollouts.ran(3, "ls -l", "boats.csv\n")]))
    texts = [text for batch in read_texts(path) for text in batch.texts]
    assert [(text.kind, text.text) for text in texts] == [
        (Kind.USER, "Where is the ferry?"),
        (Kind.ASSISTANT, "The ferry is at the quay."),
        (Kind.COMMAND, "ls -l"),
        (Kind.OUTPUT, "boats.csv"),
    ]
    head = read_head(path)
    assert (head.folder, head.branch, head.source) == ("/somewhere/harbour", "main", "exec")
    assert head.preview == "Where is the ferry?"


def test_an_old_file_without_completed_items_is_read(home: Path) -> None:
    path = rollouts.path_of(home, 1)
    shell = json.dumps({"command": ["bash", "-lc", "git status"]})
    patch = "*** Begin Patch\n*** Update File: sails.py\n@@\n-a\n+b\n*** End Patch"
    payloads = [
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "<environment_context>x"}],
        },
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Mend the sails."}]},
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "Sails tear."}]},
        {"type": "function_call", "name": "shell", "arguments": shell, "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": "On branch main"},
        {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": "c2"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Mended."}]},
    ]
    entries = [rollouts.header(1, history_mode=None)]
    entries += [{"timestamp": rollouts.AT, "type": "response_item", "payload": one} for one in payloads]
    spoken = {"type": "user_message", "message": "Mend the sails."}
    entries.insert(3, {"timestamp": rollouts.AT, "type": "event_msg", "payload": spoken})
    path.write_bytes(rollouts.lines(entries))
    texts = {(text.kind, text.item_id): text.text for batch in read_texts(path) for text in batch.texts}
    assert list(texts.values()) == [
        "Mend the sails.",
        "Sails tear.",
        "git status",
        "On branch main",
        "sails.py",
        "apply_patch",
        "Mended.",
    ]


def test_what_is_broken_is_listed_or_explained(home: Path) -> None:
    made = rollouts.write_broken(home)
    files = find_rollouts(home)
    assert len(files) == len(made)
    facts = {facts.rollout: facts for facts in map(facts_of_file, files.values())}
    why = {name: facts[str(path)].why for name, path in made.items()}
    readable = {name for name, path in made.items() if facts[str(path)].readable}
    assert set(made) - readable == {"empty", "garbage"}
    assert why["empty"] == "The file is empty."
    assert "format is unknown" in why["garbage"]
    assert "no header" in why["no header"]


@pytest.mark.parametrize(
    ("name", "found", "sentence"),
    [
        ("torn", "The tornboat is at the quay.", "the last line is torn"),
        ("nul", "The nulboat is at the quay.", ""),
        ("bad utf-8", "The badboat is at the qu\ufffd\ufffdy.", ""),
        ("no header", "It has no head.", ""),
        ("duplicates", "The twiceboat is at the quay.", "1 lines are there twice"),
        ("unknown types", "Hologram h4 a holographic strangeboat", "1 lines are of an unknown type"),
    ],
)
def test_what_can_be_read_of_a_broken_file_is_read(home: Path, name: str, found: str, sentence: str) -> None:
    report = Report()
    texts = _texts(rollouts.write_broken(home)[name], report)
    assert texts.count(found) == 1
    assert report.sentence == sentence


def test_a_fork_that_codex_does_not_list_is_explained_once_it_has_begun(home: Path) -> None:
    path = rollouts.path_of(home, 1)
    path.write_bytes(rollouts.lines([rollouts.header(1, forked_from_id=rollouts.thread_id(2))]))
    (before,) = find_rollouts(home).values()
    assert facts_of_file(before).why == ""
    path.write_bytes(
        rollouts.lines(
            [rollouts.header(1, forked_from_id=rollouts.thread_id(2)), rollouts.said(1, "Where is it?")]
        )
    )
    assert facts_of_file(before).why == UNLISTED


def test_reading_goes_on_where_it_was(home: Path) -> None:
    path = rollouts.path_of(home, 1)
    rollouts.write_large(path, 1, 3)
    batches = list(read_texts(path))
    assert len(batches) > 2
    rest = [text for batch in read_texts(path, batches[0].offset) for text in batch.texts]
    assert rest == [text for batch in batches[1:] for text in batch.texts]


def test_a_line_without_end_is_read_when_it_has_one(home: Path) -> None:
    path = rollouts.path_of(home, 1)
    path.write_bytes(rollouts.torn(1))
    *_, last = read_texts(path)
    with path.open("r+b") as file:
        file.seek(last.offset)
        file.write(rollouts.lines([rollouts.answered(3, "Now it is whole.")]))
    assert [text.text for batch in read_texts(path, last.offset) for text in batch.texts] == [
        "Now it is whole."
    ]


def test_a_hundred_megabytes_come_in_small_pieces(home: Path) -> None:
    path = rollouts.path_of(home, 1)
    rollouts.write_large(path, 1, 100)
    report = Report()
    largest = found = 0
    for batch in read_texts(path, report=report):
        largest = max(largest, sum(len(text.text) for text in batch.texts))
        found += len(batch.texts)
    assert path.stat().st_size >= 100_000_000
    assert found > 30_000
    assert largest < 2 * BATCH_CHARACTERS
    assert report.sentence == ""


def test_a_line_that_is_too_long_is_passed_over_in_bounded_memory(home: Path) -> None:
    path = rollouts.path_of(home, 1)
    with path.open("wb") as file:
        file.write(rollouts.whole(1, "longboat"))
        file.write(b'{"timestamp":"2026-03-04T05:06:08Z","ordinal":3,"type":"event_msg","payload":"')
        for _ in range(3):
            file.write(b"x" * LONGEST_LINE)
        file.write(b'"}\n' + rollouts.lines([rollouts.answered(4, "After the long line.")]))
    report = Report()
    tracemalloc.start()
    try:
        texts = _texts(path, report)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert texts[-1] == "After the long line."
    assert report.too_long == 1
    assert peak < 4 * LONGEST_LINE


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    pieces=st.lists(
        st.one_of(
            st.binary(max_size=80),
            st.sampled_from([rollouts.whole(1, "x"), rollouts.without_header(1), b"\n", b"\0", b'{"type":']),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(max_size=8),
                lambda inner: (
                    st.lists(inner, max_size=3)
                    | st.dictionaries(
                        st.sampled_from(
                            ["type", "payload", "item", "content", "text", "id", "changes", "output"]
                        ),
                        inner
                        | st.sampled_from(
                            ["event_msg", "item_completed", "session_meta", "FileChange", "message"]
                        ),
                        max_size=4,
                    )
                ),
            ).map(lambda value: json.dumps(value).encode() + b"\n"),
        ),
        max_size=8,
    )
)
def test_no_bytes_make_it_fail(tmp_path: Path, pieces: list[bytes]) -> None:
    path = rollouts.path_of(tmp_path, 1)
    path.write_bytes(b"".join(pieces))
    head = read_head(path)
    texts = [text for batch in read_texts(path) for text in batch.texts]
    assert head.thread_id
    for text in texts:
        assert text.text
        assert not set(text.text) & {"\0", "\x02", "\x03", "\x1b"}
        text.text.encode()
        text.item_id.encode()
