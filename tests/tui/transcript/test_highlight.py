"""Colouring code takes a bounded time, whatever the code is."""

from __future__ import annotations

from time import process_time

import pytest

from tui.transcript.highlight import CHUNK_LINES, lines_alone


@pytest.mark.parametrize("language", ["psql", "mako", "rst", "python", "html"])
@pytest.mark.parametrize("line", ["", "'''", "<%", '"' * 30])
def test_lexers_that_look_far_ahead_are_stopped_too(language: str, line: str) -> None:
    code = f"{line}\n" * (47_000 // (len(line) + 1))
    began = process_time()
    lines = lines_alone(code, language)
    assert process_time() - began < 1.0
    assert len(lines) == code.count("\n") + 1


def test_the_text_is_all_there_across_a_border_of_what_is_read_at_once() -> None:
    code = "\n".join(f"x = {number}  # {number}" for number in range(CHUNK_LINES * 2 + 3))
    lines = lines_alone(code, "python")
    assert "\n".join("".join(text for text, _ in line) for line in lines) == code
