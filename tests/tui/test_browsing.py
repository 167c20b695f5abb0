"""A page is opened by a process of its own: a browser that blocks, or wants the terminal, disturbs nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.app import App

from tests.tui.host import until
from tui.browsing import open_page


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A $BROWSER that says what it was given, whether it has a terminal and whose session it is in, and goes on."""
    script = tmp_path / "browser"
    said = "$1 $(test -t 0 && echo terminal) $(ps -o sid= -p $$)"
    script.write_text(
        f'#!/bin/sh\necho "{said}" > {tmp_path}/new && mv {tmp_path}/new {tmp_path}/said\nexec sleep 20\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{script} %s")
    return tmp_path / "said"


async def test_a_browser_that_does_not_end_holds_up_nothing(browser: Path) -> None:
    told: list[str] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        open_page(app, "https://harbour.example/papers?boat=7", told.append)
        await until(pilot, browser.exists)
        url, session = browser.read_text().split()
        assert url == "https://harbour.example/papers?boat=7"
        assert int(session) != os.getsid(0)
        os.killpg(int(session), 15)
        assert told == ["Your browser was asked to show https://harbour.example/papers?boat=7"]


async def test_what_is_no_page_starts_nothing(browser: Path) -> None:
    told: list[str] = []
    app: App[None] = App()
    async with app.run_test():
        for url in ("file:///etc/passwd", "--version", "https://a b", "https://x\x1b", "ftp://x/y"):
            open_page(app, url, told.append)
        assert len(told) == 5
        assert not any(worker.group == "browser" for worker in app.workers)
    assert not browser.exists()
