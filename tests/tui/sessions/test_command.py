"""`quarterdeck sessions --json`: what scripts get."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from core.errors import InvalidRequest
from core.sessions.model import IndexPhase, Kind, Progress
from tests.tui.sessions.fake_sessions import BrowserEngine, session
from tui.sessions.command import found, plain, sessions, settled


@pytest.fixture
def engine() -> BrowserEngine:
    made = BrowserEngine()
    made.sessions.entries = [
        session(n, folder=f"/home/dev/{'lights' if n % 2 else 'boats'}") for n in range(450)
    ]
    made.sessions.say("t7", (Kind.USER, "open the gate"))
    return made


async def listed(engine: BrowserEngine, line: str, limit: int | None = None) -> list[dict[str, object]]:
    return [plain(match) async for match in found(engine, line, limit)]  # type: ignore[arg-type]


async def test_all_pages_are_listed(engine: BrowserEngine) -> None:
    assert len({one["key"] for one in await listed(engine, "")}) == 450


async def test_words_filters_and_a_limit(engine: BrowserEngine) -> None:
    assert len(await listed(engine, "in:lights", limit=210)) == 210
    (one,) = await listed(engine, "gate in:lights")
    assert json.loads(json.dumps(one))["hits"] == [
        {"kind": "user", "at_ms": one["hits"][0]["at_ms"], "box_id": 1, "text": "open the gate"}  # type: ignore[index]
    ]


async def test_a_filter_that_is_none_is_an_error(engine: BrowserEngine) -> None:
    with pytest.raises(InvalidRequest, match="is:what"):
        await listed(engine, "is:what")


@pytest.mark.parametrize(
    ("progress", "waits_on"),
    [
        (Progress(IndexPhase.READY, 3, 3), False),
        (Progress(IndexPhase.WAITING), True),
        (Progress(IndexPhase.READING, 1, 3), True),
        (Progress(IndexPhase.WAITING, note="Another console builds the index."), False),
    ],
)
def test_an_index_that_another_console_keeps_is_not_waited_for(progress: Progress, waits_on: bool) -> None:
    assert settled(progress) is not waits_on


def test_words_without_json_are_a_mistake() -> None:
    result = CliRunner().invoke(sessions, ["gate"])
    assert result.exit_code == 2 and "--json" in result.output
