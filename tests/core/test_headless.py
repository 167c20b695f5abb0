"""`exec` on the real Codex: the answer, the events, the denials and the exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.demo.scratch import Scratch
from core.engine import DATABASE
from core.headless import Exit, Order, execute
from core.settings import HostSettings, Settings
from core.store.store import Store
from tests.support.loose import let_codex_do_all

Lines = tuple[list[str], list[str], Callable[[str], None], Callable[[str], None]]


@pytest.fixture
def lines() -> Lines:
    out: list[str] = []
    err: list[str] = []
    return out, err, out.append, err.append


async def test_the_answer_goes_to_stdout(settings: Settings, scratch: Scratch, lines: Lines) -> None:
    out, err, write, complain = lines
    code = await execute(settings, Order("/say forty-two", scratch.project), write, complain)
    assert (code, out, err) == (Exit.ANSWERED, ["forty-two"], [])
    store = await Store.open(settings.data_dir / DATABASE)
    try:
        assert await store.seen.behind() == {}, "it was printed: it is no news"
    finally:
        await store.close()


async def test_events_are_a_json_object_a_line(settings: Settings, scratch: Scratch, lines: Lines) -> None:
    out, _, write, complain = lines
    await execute(settings, Order("/say forty-two", scratch.project, as_json=True), write, complain)
    events = [json.loads(line) for line in out]
    boxes = [box for event in events if event["event"] == "BoxesAdded" for box in event["boxes"]]
    assert [box["contents"] for box in boxes] == ["/say forty-two", "forty-two"]


async def test_what_a_person_would_be_asked_is_denied_and_said(
    settings: Settings, scratch: Scratch, lines: Lines
) -> None:
    out, err, write, complain = lines
    order = Order("/run! touch ran\n/say It was not to be.", scratch.project)
    assert await execute(settings, order, write, complain) is Exit.ANSWERED
    assert out == ["It was not to be."]
    assert "touch ran" in err[0]
    assert err[0].startswith("Denied")
    assert not (scratch.project / "ran").exists()


async def test_it_goes_no_further_than_its_profile_whatever_codex_would_do_itself(
    settings: Settings, scratch: Scratch, lines: Lines
) -> None:
    let_codex_do_all(scratch)
    out, err, write, complain = lines
    careful = settings.model_copy(
        update={"defaults": settings.defaults.model_copy(update={"profile": "observer"})}
    )
    order = Order("/run touch written\n/say {{output}}", scratch.project)
    assert await execute(careful, order, write, complain) is Exit.ANSWERED
    assert "Read-only file system" in out[0]
    assert err == []
    assert not (scratch.project / "written").exists()


async def test_an_answer_of_a_shape_is_checked(settings: Settings, scratch: Scratch, lines: Lines) -> None:
    out, err, write, complain = lines
    schema = '{"type": "object", "required": ["n"]}'
    order = Order('/say {"m": 1}', scratch.project, schema=schema)
    assert await execute(settings, order, write, complain) is Exit.MISMATCH
    assert out == ['{"m": 1}']
    assert "'n' is a required property" in err[0]


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Order("/fail 429", Path()), Exit.FAILED),
        (Order("/say x", Path(), model="no-such-model"), Exit.BAD_REQUEST),
        (Order("/say x", Path(), schema="{"), Exit.BAD_REQUEST),
        (Order("/say x", Path("/no/such/folder")), Exit.BAD_REQUEST),
        (Order("/hold on\n/say x", Path(), seconds=1.5), Exit.TIMED_OUT),
    ],
)
async def test_each_way_to_fail_has_its_exit_code(
    settings: Settings, lines: Lines, order: Order, code: Exit
) -> None:
    out, err, write, complain = lines
    assert await execute(settings, order, write, complain) is code
    assert out == []
    assert err


async def test_without_a_codex_it_says_so(tmp_path: Path, scratch: Scratch, lines: Lines) -> None:
    _, err, write, complain = lines
    settings = Settings(
        data_dir=tmp_path, host=HostSettings(codex=Path("/bin/false"), codex_home=scratch.home)
    )
    assert await execute(settings, Order("/say x", scratch.project), write, complain) is Exit.NO_CODEX
    assert err
