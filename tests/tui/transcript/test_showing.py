"""Pictures in the transcript: there where they can be shown, and gone without a trace where they cannot."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image as Pillow
from PIL import ImageDraw
from textual.pilot import Pilot

from core.agent.items import Image
from core.thread.boxes import USER, InputMeta, draft
from tests.tui.host import until
from tests.tui.transcript.app import TranscriptApp, changed, document_of
from tests.tui.transcript.gallery import Log
from tui.theme import load_themes
from tui.transcript import showing
from tui.transcript.document import Document
from tui.transcript.halfblocks import UPPER

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
SnapCompare = Callable[..., bool]


@pytest.fixture(autouse=True)
def _true_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)


class PictureApp(TranscriptApp):
    """A transcript in the console's own colours."""

    def on_mount(self) -> None:
        super().on_mount()
        for theme in load_themes():
            self.register_theme(theme)
        self.theme = "quarterdeck-dark"


def harbour(path: Path, size: tuple[int, int] = (480, 320)) -> Path:
    """A lighthouse at dusk."""
    width, height = size
    image = Pillow.new("RGB", size)
    draw = ImageDraw.Draw(image)
    for y in range(height):
        sky = 255 * y // height
        draw.line((0, y, width, y), (sky // 2 + 20, sky // 3 + 40, 160 - sky // 3))
    draw.ellipse((width * 0.62, height * 0.38, width * 0.78, height * 0.62), (255, 190, 80))
    draw.rectangle((0, height * 0.7, width, height), (16, 42, 76))
    for band in range(6):
        colour = (235, 235, 230) if band % 2 else (200, 40, 40)
        top = height * (0.2 + band * 0.09)
        draw.rectangle((width * 0.22, top, width * 0.3, top + height * 0.09), colour)
    draw.polygon(
        [(width * 0.2, height * 0.2), (width * 0.26, height * 0.08), (width * 0.32, height * 0.2)],
        (60, 60, 66),
    )
    draw.ellipse((width * 0.1, height * 0.68, width * 0.45, height * 0.86), (52, 50, 48))
    image.save(path)
    return path


def log_of(*paths: Path | str, lines: int = 0) -> Log:
    log = Log()
    log.user("Draw me the harbour.")
    for number, path in enumerate(paths):
        log.item(Image(id=f"image-{number}", path=str(path), made=True))
    for number in range(lines):
        log.message(f"Line {number}")
    return log


def blocks(app: TranscriptApp) -> int:
    """Rows of the screen that show a part of a picture."""
    return sum(UPPER in line for line in app.screen_lines())


async def test_a_picture_stands_below_its_name(tmp_path: Path) -> None:
    app = PictureApp(document_of(log_of(harbour(tmp_path / "a.png")).boxes))
    async with app.run_test(size=(80, 30)) as pilot:
        await until(pilot, lambda: blocks(app) > 0)
        lines = app.screen_lines()
        name = next(number for number, line in enumerate(lines) if "480 × 320 pixels" in line)
        assert lines[name].endswith("▸ larger")
        assert blocks(app) == sum(UPPER in line for line in lines[name + 1 : name + 14]) > 9


async def test_what_stands_around_it_does_not_move_when_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    come = threading.Event()
    monkeypatch.setattr(showing, "_rows", lambda wanted, rows=showing._rows: come.wait(10) and rows(wanted))
    app = PictureApp(document_of(log_of(harbour(tmp_path / "a.png"), lines=3).boxes))
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.pause()
        before = app.screen_lines()
        assert not blocks(app)
        come.set()
        await until(pilot, lambda: blocks(app) > 0)
        after = [line if UPPER not in line else "" for line in app.screen_lines()]
        assert after == before


async def test_space_makes_it_larger_and_smaller_again(tmp_path: Path) -> None:
    app = PictureApp(document_of(log_of(harbour(tmp_path / "a.png")).boxes))
    async with app.run_test(size=(80, 60)) as pilot:
        await until(pilot, lambda: blocks(app) > 0)
        small = blocks(app)
        app.view.cursor = app.view.document[1]  # type: ignore[index]
        await pilot.press("space")
        await until(pilot, lambda: blocks(app) > small)
        assert any("▾ smaller" in line for line in app.screen_lines())
        await pilot.press("space")
        await until(pilot, lambda: blocks(app) == small)


async def test_a_small_picture_has_nothing_to_enlarge(tmp_path: Path) -> None:
    app = PictureApp(document_of(log_of(harbour(tmp_path / "a.png", (24, 16))).boxes))
    async with app.run_test(size=(80, 30)) as pilot:
        await until(pilot, lambda: blocks(app) > 0)
        assert blocks(app) <= 8
        assert not any("larger" in line for line in app.screen_lines())


async def test_images_of_a_message_are_shown_under_it(tmp_path: Path) -> None:
    paths = [str(harbour(tmp_path / name)) for name in ("one.png", "two.png")]
    log = Log()
    log.user("Which is better?", attachments=(*paths, str(tmp_path / "gone.png")))
    app = PictureApp(document_of(log.boxes))
    async with app.run_test(size=(80, 30)) as pilot:
        await until(pilot, lambda: blocks(app) > 10)
        lines = app.screen_lines()
        names = [next(n for n, line in enumerate(lines) if name in line) for name in ("one", "two", "gone")]
        assert names[1] - names[0] == names[2] - names[1] == 9


async def test_of_a_message_the_copy_is_shown_under_the_name_that_it_was_given(tmp_path: Path) -> None:
    meta = InputMeta(key="k", attachments=("/gone/chart.png",), copies=(str(harbour(tmp_path / "copy.png")),))
    log = Log()
    log.add(draft(USER, "Which is better?", meta))
    app = PictureApp(document_of(log.boxes))
    async with app.run_test(size=(80, 30)) as pilot:
        await until(pilot, lambda: blocks(app) > 5)
        assert any("/gone/chart.png" in line for line in app.screen_lines())
        assert not any("copy.png" in line for line in app.screen_lines())


@pytest.mark.parametrize("case", ["NO_COLOR", "ansi theme", "sixteen colours"])
async def test_without_colours_there_is_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    if case == "NO_COLOR":
        monkeypatch.setenv("NO_COLOR", "1")
    elif case == "sixteen colours":
        monkeypatch.delenv("COLORTERM")
        monkeypatch.setenv("TERM", "xterm")
    app = PictureApp(document_of(log_of(harbour(tmp_path / "a.png")).boxes))
    async with app.run_test(size=(80, 30)) as pilot:
        if case == "ansi theme":
            app.theme = "quarterdeck-ansi"
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        lines = [line for line in app.screen_lines() if line]
        assert [line.strip() for line in lines[-1:]] == [
            f"PNG · 480 × 320 pixels · {(tmp_path / 'a.png').stat().st_size / 1000:.0f} kB"
        ]


async def test_with_256_colours_it_is_drawn_in_those(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLORTERM")
    monkeypatch.setenv("TERM", "xterm-256color")
    app = PictureApp(document_of(log_of(harbour(tmp_path / "a.png")).boxes))
    async with app.run_test(size=(80, 30)) as pilot:
        await until(pilot, lambda: blocks(app) > 0)
        written = "".join(strip.render(app.console) for strip in app.view.render_lines(app.view.size.region))
        assert "38;5;" in written
        assert "38;2;" not in written


@pytest.mark.parametrize("broken", ["cut", "huge", "text"])
async def test_what_is_no_picture_is_told_as_before(tmp_path: Path, broken: str) -> None:
    path = harbour(tmp_path / "a.png")
    data = path.read_bytes()
    if broken == "huge":
        data = data[:16] + (60_000).to_bytes(4, "big") * 2 + data[24:]
    path.write_bytes({"cut": data[:600], "huge": data, "text": b"no image"}[broken])
    app = PictureApp(document_of(log_of(path, lines=1).boxes))
    async with app.run_test(size=(200, 30)) as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
        await changed(app, pilot)
        lines = app.screen_lines()
        named = next(number for number, line in enumerate(lines) if "Made an image" in line)
        below = next(number for number, line in enumerate(lines) if "Line 0" in line)
        # Its path may take two rows; what follows is what it is, where it says so, and nothing else.
        shown = [line for line in lines[named:below] if "a.png" not in line and line and "Made" not in line]
        assert [line.strip() for line in shown] == {
            "cut": ["PNG · 480 × 320 pixels · 600 bytes"],
            "huge": [f"PNG · 60,000 × 60,000 pixels · {len(data) / 1000:.0f} kB"],
            "text": [],
        }[broken]


async def test_a_file_that_changed_is_shown_as_it_is_now(tmp_path: Path) -> None:
    path = harbour(tmp_path / "a.png", (40, 8))
    app = PictureApp(document_of(log_of(path).boxes))
    async with app.run_test(size=(80, 30)) as pilot:
        await until(pilot, lambda: blocks(app) > 0)
        before = blocks(app)
        harbour(path, (40, 20))
        os.utime(path, ns=(1, 1))
        app.view.document.redraw(app.view.document[1])  # type: ignore[union-attr,index]
        await changed(app, pilot)
        await until(pilot, lambda: blocks(app) > before)
        assert any("40 × 20 pixels" in line for line in app.screen_lines())


async def test_a_picture_that_comes_while_another_conversation_is_shown_is_there_on_return(
    tmp_path: Path,
) -> None:
    document = document_of(log_of(harbour(tmp_path / "a.png")).boxes)
    app = PictureApp(Document())
    async with app.run_test(size=(80, 30)) as pilot:
        app.view.show(document)
        app.view.show(Document())
        await app.workers.wait_for_complete()
        app.view.show(document)
        await pilot.pause()
        assert blocks(app) > 0


async def test_what_is_above_the_reader_changes_nothing_on_the_screen(tmp_path: Path) -> None:
    """A file that is cut off gives back the room that was kept for it: above the screen that moves nothing."""
    path = harbour(tmp_path / "a.png")
    path.write_bytes(path.read_bytes()[:600])
    app = PictureApp(document_of(log_of(path, lines=40).boxes))
    async with app.run_test(size=(80, 20)) as pilot:
        app.view.scroll_rows(-3)
        app.view.flow.rendered(1)  # type: ignore[union-attr]
        app.view.place(app.view.first_row)
        before = app.screen_lines()
        await app.workers.wait_for_complete()
        await changed(app, pilot)
        assert app.screen_lines() == before


def test_the_decoder_is_imported_with_the_first_picture() -> None:
    script = "import sys, tui.transcript.drawing, tui.transcript.view; print('PIL' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "False"


@SIZES
def test_how_they_look(
    snap_compare: SnapCompare, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A path that is absolute, and the same wherever the tests run.
    monkeypatch.chdir(tmp_path)
    harbour(tmp_path / "harbour.png")
    wide = harbour(tmp_path / "wide.png", (900, 150))
    log = Log()
    log.user("Make it like this.", attachments=(f"/proc/self/cwd/{wide.name}",))
    log.item(Image(id="i", path="/proc/self/cwd/harbour.png", made=True))
    app = PictureApp(document_of(log.boxes))

    async def shown(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: blocks(app) > 9)
        await pilot.press("home")
        await app.workers.wait_for_complete()
        await changed(app, pilot)

    assert snap_compare(app, terminal_size=size, run_before=shown)


@SIZES
def test_how_a_large_one_looks(
    snap_compare: SnapCompare, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    harbour(tmp_path / "harbour.png")
    log = Log()
    log.item(Image(id="i", path="/proc/self/cwd/harbour.png"))
    app = PictureApp(document_of(log.boxes))

    async def enlarged(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: blocks(app) > 0)
        app.view.cursor = app.view.document[0]  # type: ignore[index]
        await pilot.press("space", "home")
        await until(pilot, lambda: blocks(app) > 14)

    assert snap_compare(app, terminal_size=size, run_before=enlarged)
