"""Requests, answers, resolutions, lost connections, dying hosts and crashes, in any order."""

from __future__ import annotations

from pathlib import Path

from tests.core.conversation.interleaving import Driver

COUNT = 500


async def test_five_hundred_interleavings_end_with_each_request_decided_at_most_once(tmp_path: Path) -> None:
    driver = Driver(tmp_path / "data" / "quarterdeck.sqlite3")
    await driver.prepare()
    try:
        for seed in range(COUNT):
            await driver.play(seed)
        await driver.check()
    finally:
        await driver.close()
    assert [error for error in driver.errors if "did not reach Codex" not in error] == []
    taken = sum(map(len, driver.host.took.values()))
    said = sum(map(len, driver.said.values()))
    mixed = {"crashes": driver.crashes, "taken": taken, "said": said}
    assert driver.crashes > 200 and taken > 300 and said > 50, mixed
