"""Telling who is not looking: when, in which way, how often, and in harmless words."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.settings import AwaySettings, Settings
from core.thread.state import Status
from tests.tui import examples
from tests.tui.conftest import FOLDER, OpenConsole
from tests.tui.fake_engine import FakeEngine
from tests.tui.host import until
from tui.away import POP_TITLE, PRESENT, PUSH_TITLE, Away, News, notification, title, way_of
from tui.launch import Launch


class Terminal:
    """What was written, and a clock that is set by hand."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.wrote = asyncio.Event()
        self.now = 1_000.0

    def write(self, sequence: str) -> None:
        self.written.append(sequence)
        self.wrote.set()


def away(terminal: Terminal, pause: float = 0.0, **settings: object) -> Away:
    made = Away(
        {"TERM_PROGRAM": "WezTerm"}, terminal.write, clock=lambda: terminal.now, gather=0.0, pause=pause
    )
    made.use(AwaySettings(**settings))  # type: ignore[arg-type]
    return made


async def told(terminal: Terminal) -> str:
    await asyncio.wait_for(terminal.wrote.wait(), 5)
    terminal.wrote.clear()
    return terminal.written[-1]


async def turns(loop: int = 5) -> None:
    """Let what is due on the loop come."""
    for _ in range(loop):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("environment", "way"),
    [
        ({"TERM_PROGRAM": "iTerm.app"}, "osc9"),
        ({"TERM": "xterm-kitty"}, "osc9"),
        ({"TERM": "foot-extra"}, "osc777"),
        ({"TERM": "rxvt-unicode-256color"}, "osc777"),
        ({"TERM": "xterm-256color"}, "bell"),
        ({"TERM_PROGRAM": "iTerm.app", "TMUX": "/tmp/x"}, "bell"),
        ({}, "bell"),
    ],
)
def test_each_terminal_is_told_in_its_own_way(environment: dict[str, str], way: str) -> None:
    assert way_of(environment) == way


def test_the_ways() -> None:
    assert notification("osc9", "boats: done") == "\x1b]9;boats: done\x1b\\"
    assert notification("osc9", "4;1;50") == "\x1b]9;Quarterdeck: 4;1;50\x1b\\", "no progress bar"
    assert notification("osc777", "a;b") == "\x1b]777;notify;Quarterdeck;a,b\x1b\\"
    assert notification("bell", "boats") == "\a"
    assert notification("off", "boats") == ""


@given(st.text(max_size=60))
def test_no_text_can_end_or_begin_a_sequence(text: str) -> None:
    for way in ("osc9", "osc777"):
        inside = notification(way, text)[2:-2]
        assert not any(ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0 for character in inside)
    assert not any(ord(character) < 0x20 for character in title(1, text))


async def test_news_is_told_only_where_nobody_looks() -> None:
    terminal = Terminal()
    one = away(terminal)
    one.focused = True
    one.tell(News.DONE, "boats")
    await turns()
    assert terminal.written == []
    one.focused = False
    one.tell(News.DONE, "boats")
    assert await told(terminal) == "\x1b]9;boats: done\x1b\\"


async def test_where_the_terminal_does_not_say_a_key_says_that_somebody_is_there() -> None:
    terminal = Terminal()
    one = away(terminal)
    one.pressed()
    one.tell(News.DONE, "boats")
    await turns()
    assert terminal.written == []
    terminal.now += PRESENT + 1
    one.tell(News.FAILED, "boats")
    assert await told(terminal) == "\x1b]9;boats: failed\x1b\\"


async def test_what_comes_together_is_told_as_one_and_not_too_often() -> None:
    terminal = Terminal()
    one = away(terminal, pause=3_600.0)
    for number in range(3):
        one.tell(News.NEEDS_YOU, f"boat {number}")
    one.tell(News.DONE, "pier")
    assert await told(terminal) == "\x1b]9;3 need you, 1 done\x1b\\"
    one.tell(News.DONE, "pier")
    await turns(20)
    assert len(terminal.written) == 1
    one.close()


async def test_what_is_not_wanted_is_not_told() -> None:
    terminal = Terminal()
    one = away(terminal, turn_done=False, title=False)
    one.tell(News.DONE, "boats")
    one.show_title(2, "boats")
    quiet = away(terminal, notify="off")
    quiet.tell(News.NEEDS_YOU, "boats")
    await turns()
    assert terminal.written == []


async def test_the_title_says_what_waits_and_is_given_back() -> None:
    terminal = Terminal()
    one = away(terminal)
    one.show_title(2, "Greet\x07 every boat")
    one.show_title(2, "Greet\x07 every boat")
    one.show_title(0, "")
    one.close()
    assert terminal.written == [
        PUSH_TITLE + "\x1b]2;(2) Quarterdeck: Greet␇ every boat\x1b\\",
        "\x1b]2;Quarterdeck\x1b\\",
        POP_TITLE,
    ]


async def test_the_console_tells_turns_requests_and_failures(
    console: OpenConsole, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.settings = Settings(away=AwaySettings(title=True))
    conversation = engine.add(FOLDER, "boats")
    heard: list[tuple[News, str]] = []
    titles: list[str] = []
    monkeypatch.setattr(Away, "tell", lambda _, news, text: heard.append((news, text)))
    monkeypatch.setattr("tui.app.QuarterdeckApp.write_terminal", lambda _, sequence: titles.append(sequence))
    async with console(Launch(FOLDER, latest=True)) as (screen, pilot):
        await until(pilot, lambda: screen.desk and screen.desk.infos)
        conversation.become(Status.RUNNING)
        conversation.become(Status.IDLE)
        conversation.become(Status.RUNNING)
        conversation.become(Status.STALLED, "no more")
        asked = examples.notified(examples.COMMAND, 90, conversation_id=conversation.id)
        engine.ask(asked)
        engine.ask(asked)
        assert heard == [(News.DONE, "boats"), (News.FAILED, "boats"), (News.NEEDS_YOU, "boats")]
        await until(pilot, lambda: any("(1) Quarterdeck: boats" in one for one in titles))
    assert POP_TITLE in titles[-1]
