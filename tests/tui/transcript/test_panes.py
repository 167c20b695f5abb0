from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.agent.items import Change, Image, Marker, Status, SubAgentCall
from core.thread.boxes import USER, BoxId, ChatBox, InputMeta, draft
from tests.tui.transcript.app import document_of
from tests.tui.transcript.drawn import draw_boxes
from tests.tui.transcript.gallery import DIFF, Log, gallery
from tui.transcript.copying import text_of
from tui.transcript.panes import diffs, words
from tui.transcript.panes.command import script_of
from tui.transcript.panes.reasoning import heading_of


def drawn(log: Log, width: int = 70, folded: bool | None = None) -> list[str]:
    return draw_boxes(log.boxes, width, folded)


@pytest.mark.parametrize(
    ("status", "exit_code", "said"),
    [
        (Status.DONE, 0, "✓ exit 0 · 1.2 s"),
        (Status.FAILED, 2, "✗ exit 2 · 1.2 s"),
        (Status.FAILED, None, "✗ failed · 1.2 s"),
        (Status.DECLINED, None, "⊘ declined · 1.2 s"),
        (Status.CUT, None, "‥ cut off · 1.2 s"),
    ],
)
def test_a_command_says_how_it_ended(status: Status, exit_code: int | None, said: str) -> None:
    log = Log()
    log.command("make", "out\n", status=status, exit_code=exit_code)
    rows = drawn(log)
    assert rows[0].startswith(" ╭─ $ make ─")
    assert f" {said} ─╮" in rows[0]
    assert rows[1].startswith(" │ out ")
    assert rows[2].startswith(" ╰─ ~/harbour ─")


def test_a_message_shows_what_was_typed_and_names_what_went_along() -> None:
    meta = InputMeta(key="k", typed="when is high water?", sources=("tides (workspace)",))
    log = Log()
    log.add(draft(USER, "~~~ tides\nnoon\n~~~\nwhen is high water?", meta))
    text = "\n".join(drawn(log))
    assert "when is high water?" in text
    assert "went along: tides (workspace)" in text
    assert "noon" not in text


def test_a_running_command_says_so_and_shows_what_came() -> None:
    log = Log()
    log.command("make", status=Status.RUNNING)
    assert "◌ running ─╮" in drawn(log)[0]


def test_long_output_is_folded_to_its_beginning_and_end() -> None:
    log = Log()
    log.command("seq", "".join(f"{number}\n" for number in range(100)))
    folded = drawn(log)
    shown = [row.strip(" │") for row in folded[1:-2]]
    assert shown == ["0", "1", "2", "3", "… 88 lines", *(str(number) for number in range(92, 100))]
    assert "▸ 88 more lines ─╯" in folded[-2]
    unfolded = drawn(log, folded=False)
    assert len(unfolded) == 103
    assert "▾ show less ─╯" in unfolded[-2]


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("/bin/bash -lc 'pytest -x'", "pytest -x"),
        ("bash -c \"echo 'a b'\"", "echo 'a b'"),
        ("/bin/zsh -lc ls", "ls"),
        ("bash -lc 'a' b", "bash -lc 'a' b"),
        ("bash -lc 'unfinished", "bash -lc 'unfinished"),
        ("python -c 'print()'", "python -c 'print()'"),
    ],
)
def test_the_shell_that_codex_wraps_around_a_command_is_not_shown(command: str, script: str) -> None:
    assert script_of(command) == script


def test_a_diff_has_line_numbers_signs_and_counts() -> None:
    log = Log()
    log.patch(Change(path="core/tides.py", verb="update", diff=DIFF))
    rows = drawn(log)
    assert rows[0].startswith(" ╭─ ± Edited core/tides.py  +2 −1 ─")
    assert "✓ applied ─╮" in rows[0]
    assert [row.strip(" │") for row in rows[1:8]] == [
        "⋮ class Harbour:",
        "12       def open(self, now: float) -> Table:",
        "13           table = self._table",
        "14 -         if table is not None:",
        "14 +         if table is not None and not stale(table, now):",
        "15               return table",
        '16 +         self._log.info("tide table read again")',
    ]


@pytest.mark.parametrize(
    ("status", "word"),
    [(Status.RUNNING, "proposed"), (Status.FAILED, "not applied"), (Status.DECLINED, "declined")],
)
def test_a_patch_says_what_became_of_it(status: Status, word: str) -> None:
    log = Log()
    log.patch(Change(path="a", verb="add", diff="x\n"), status=status, remark="why not")
    rows = drawn(log)
    assert f" {word} ─╮" in rows[0]
    assert any("why not" in row for row in rows) is (status is not Status.RUNNING)


def test_several_files_of_a_patch_have_titles_and_counts_of_their_own() -> None:
    log = Log()
    log.patch(
        Change(path="a", verb="add", diff="x\ny\n"),
        Change(path="b", verb="delete", diff="z"),
        Change(path="c", verb="update", diff="", move_path="d"),
    )
    text = "\n".join(drawn(log))
    assert "± Edit 3 files  +2 −1" in text
    for title in ("Add a", "Delete b", "Edit c → d"):
        assert title in text


def test_a_huge_diff_is_folded_but_counted_whole() -> None:
    log = Log()
    log.patch(Change(path="a", verb="update", diff="@@ -1 +1,500 @@\n" + "+line\n" * 500))
    assert len(drawn(log)) == 23 + 3
    assert "+500 −0" in drawn(log)[0]
    assert "▸ 477 more lines" in drawn(log)[-2]
    assert len(drawn(log, folded=False)) > 500


@pytest.mark.parametrize(
    ("diff", "lines"),
    [
        ("@@ -3,2 +3,2 @@\n a\n-b\n+c", [("@", "", None), (" ", "a", 3), ("-", "b", 4), ("+", "c", 4)]),
        ("+only\n", [("+", "only", None)]),
        (
            "@@ -1 +1 @@ f()\n\n\\ No newline at end of file",
            [("@", "f()", None), (" ", "", 1), ("@", "\\ No newline at end of file", None)],
        ),
        ("@@ -1 +1 @@\r\n-a\r\n", [("@", "", None), ("-", "a", 1)]),
    ],
)
def test_hunks_are_read(diff: str, lines: list[tuple[str, str, int | None]]) -> None:
    found = diffs.lines(Change(path="a", verb="update", diff=diff))
    assert [(line.sign, line.text, line.number) for line in found] == lines


def test_reasoning_is_a_line_with_its_headings_until_unfolded() -> None:
    log = Log()
    log.reasoning("**First**\n\nOne.", "**Second**\n\nTwo.")
    assert drawn(log) == [" ∴ ▸ Thought · First · Second", ""]
    assert drawn(log, folded=False) == [
        " ∴ ▾ Thought",
        "",
        "   First",
        "",
        "   One.",
        "",
        "   Second",
        "",
        "   Two.",
        "",
    ]


@pytest.mark.parametrize(
    ("part", "heading"),
    [
        ("**Bold**\n\nrest", "Bold"),
        ("# Title\nrest", "Title"),
        ("plain words\nmore", "plain words"),
        ("", ""),
    ],
)
def test_a_part_of_reasoning_has_a_heading(part: str, heading: str) -> None:
    assert heading_of(part) == heading


def test_a_tool_call_shows_its_arguments_what_it_said_and_its_result() -> None:
    log = Log()
    log.tool("lookup", '{"station": "A", "days": [1, 2]}', "found", server="tides", notes=("asking",))
    rows = drawn(log)
    assert rows[0].startswith(" ╭─ ◇ tides › lookup ─")
    assert [row.strip(" │") for row in rows[1:3]] == ["station: A  days: [1, 2]", "· asking"]
    assert rows[4].strip(" │") == "found"


def test_a_question_shows_what_was_chosen() -> None:
    asked = {
        "questions": [
            {"id": "q", "header": "H", "question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}
        ]
    }
    log = Log()
    log.tool("request_user_input", json.dumps(asked), '{"answers": {"q": {"answers": ["B", "note: soon"]}}}')
    log.tool("request_user_input", json.dumps(asked), status=Status.RUNNING)
    rows = drawn(log)
    assert rows[:6] == [" ? H", "   Which?", "   ○ A", "   ◉ B", "   → note: soon", ""]
    assert rows[-2] == "   ◌ waits for an answer"


def test_a_sub_agent_shows_its_task_and_state() -> None:
    log = Log()
    item = SubAgentCall(
        id="a", tool="spawnAgent", status=Status.RUNNING, receivers=("t",), prompt="Look around."
    )
    log.call(item)
    rows = drawn(log)
    assert rows[0].startswith(" ╭─ ↳ Sub-agent started ─")
    assert "◌ running" in rows[0]
    assert rows[1].strip(" │") == "Look around."
    assert "1 agent" in rows[2]


@pytest.mark.parametrize(
    ("level", "row"),
    [
        ("info", " · It happened."),
        ("warning", " ! Warning: It happened."),
        ("error", " ✗ Error: It happened."),
    ],
)
def test_a_notice_says_how_grave_it_is(level: str, row: str) -> None:
    log = Log()
    log.notice(level, "It happened.")
    assert drawn(log) == [row, ""]


def test_the_detail_of_a_notice_is_folded() -> None:
    log = Log()
    log.notice("error", "It broke.", "because\nof this")
    assert drawn(log) == [" ✗ Error: It broke. ▸ details", ""]
    assert drawn(log, folded=False) == [" ✗ Error: It broke. ▾ details", "   because", "   of this", ""]


def test_a_marker_is_a_line_across() -> None:
    log = Log()
    log.item(Marker(id="m", name="compaction"))
    log.item(Marker(id="n", name="review_left", text="# Findings\n\nNone."))
    rows = drawn(log, 40)
    assert rows[0].strip().strip("─") == " context compacted "
    assert rows[3:6] == ["   Findings", "", "   None."]


def test_what_is_not_known_is_named_and_kept() -> None:
    boxes = [ChatBox(BoxId(1), "hologram", "a ship", "light", '{"hue": 3}')]
    assert draw_boxes(boxes) == [" ◌ ▸ hologram (not known to this version)", "   a ship", ""]
    assert draw_boxes(boxes, folded=False)[2:5] == ["   {", '     "hue": 3', "   }"]


@pytest.mark.parametrize(
    ("state", "row"),
    [("accepted", "◌ waiting to be sent"), ("sent", "→ sent"), ("seen", "✓ seen by Codex"), ("odd", "odd")],
)
def test_a_message_on_its_way_says_how_far_it_got(state: str, row: str) -> None:
    document = document_of([Log().user("hello", key="k")])
    document.set_outbox([("k", "hello", state)])
    from tests.tui.transcript.drawn import draw, row_text

    assert [row_text(found).rstrip() for found in draw(document[0], 40).rows] == ["▌  hello", f"▌  {row}", ""]


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(80, "0.1 s"), (1_240, "1.2 s"), (12_400, "12 s"), (184_000, "3 min 04 s"), (7_620_000, "2 h 07 min")],
)
def test_durations_are_told_as_people_tell_them(milliseconds: int, text: str) -> None:
    assert words.duration(milliseconds) == text


def test_every_entry_can_be_copied_as_text() -> None:
    texts = [text_of(entry) for entry in document_of(gallery()).entries()]
    assert all(texts[:-1])
    assert texts[0] == "The tide table is stale after midnight.\nFind out why, and fix it."
    assert texts[3].startswith("$ pytest tests/test_tides.py\n======")
    assert "\x1b" not in "".join(texts)


def test_a_plan_with_marks_says_how_many_steps_are_done() -> None:
    log = Log()
    log.plan("1. [x] one\n2. [x] two\n3. [ ] three")
    log.plan("- no marks")
    rows = drawn(log)
    assert "─ 2 of 3 ─╮" in rows[0]
    assert " of " not in rows[6]


def test_what_came_with_a_result_is_named_and_shown_unfolded() -> None:
    log = Log()
    log.tool("find", "{}", "one", metadata=("application/json", '{"took_ms": 12}'))
    folded, whole = drawn(log), drawn(log, folded=False)
    assert any("with application/json" in row and "▸ show all" in row for row in folded)
    assert not any("took_ms" in row for row in folded)
    assert any('"took_ms": 12' in row for row in whole)


def test_an_image_says_what_it_is_where_it_can_be_read(tmp_path: Path) -> None:
    picture = tmp_path / "a.gif"
    log = Log()
    log.item(Image(id="i", path=str(picture), made=True))
    assert not any("pixels" in row for row in drawn(log))
    picture.write_bytes(b"GIF89a\x80\x02\xe0\x01" + b"\0" * 41_990)
    assert drawn(log, width=200)[1].strip() == "GIF · 640 × 480 pixels · 42 kB"


def test_what_a_hook_printed_is_no_markdown() -> None:
    log = Log()
    log.item(Marker(id="h", name="hook", text="# 3 files\n* not a list"))
    rows = drawn(log)
    assert "a hook said" in rows[0]
    assert [row.strip() for row in rows[1:3]] == ["# 3 files", "* not a list"]


@pytest.mark.parametrize(("count", "said"), [(812, "812 bytes"), (48_400, "48 kB"), (3_140_000, "3.1 MB")])
def test_sizes_are_told_in_round_numbers(count: int, said: str) -> None:
    assert words.size(count) == said
