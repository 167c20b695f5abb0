"""The text of a session: wrapped, and selected as it is."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.content import Content
from textual.geometry import Offset
from textual.selection import Selection

from tests.tui.host import until
from tui.sessions.text_view import TextView

LINES = ("short", "tide table " * 6, "潮汐表" * 10, "")


class TextApp(App[None]):
    def compose(self) -> ComposeResult:
        yield TextView(widget_id="text")

    @property
    def view(self) -> TextView:
        return self.query_one(TextView)

    def rows(self) -> list[str]:
        return [strip.text.rstrip() for strip in self.view.render_lines(self.view.size.region)]


async def test_long_lines_are_wrapped_between_words_and_again_at_another_width() -> None:
    app = TextApp()
    async with app.run_test(size=(40, 12)) as pilot:
        app.view.set_text([Content(line) for line in LINES])
        assert app.rows()[:3] == [
            "short",
            "tide table tide table tide table tide",
            "table tide table tide table",
        ]
        assert all(
            strip.cell_length == app.view.size.width for strip in app.view.render_lines(app.view.size.region)
        )
        assert app.view.text == "\n".join(LINES)
        await pilot.resize_terminal(30, 12)
        await until(pilot, lambda: app.rows()[1] == "tide table tide table tide")


async def test_what_is_selected_has_none_of_the_screens_line_breaks() -> None:
    app = TextApp()
    async with app.run_test(size=(40, 12)):
        app.view.set_text([Content(line) for line in LINES])
        chosen = Selection.from_offsets(Offset(2, 0), Offset(60, 1))
        assert app.view.get_selection(chosen) == ("ort\n" + LINES[1][:60], "\n")
        row = app.view.render_line(2)
        offsets = [segment.style.meta["offset"] for segment in row if segment.style and segment.style.meta]
        assert offsets[0] == (38, 1)
