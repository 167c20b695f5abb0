"""Toolsets as entry points, of packages that are made on the fly."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from core.access.policy import OPERATOR, AccessContext, AccessPolicy
from core.tools import discovery
from core.tools.actions import ThreadActions
from core.tools.discovery import GROUP, discover
from core.tools.toolset import Arguments, Tool, ToolContext, Toolset

Install = Callable[..., None]

GOOD = """
from core.tools.toolset import Tool, Toolset

async def run(context, arguments):
    return "ran"

def made():
    return Toolset("good", (Tool("good_tool", "", {"type": "object"}, run),))
"""


async def never(context: ToolContext, arguments: Arguments) -> str:
    raise AssertionError("called")


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a module with an entry point, as a wheel would."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(module: str, source: str, value: str, name: str = "") -> None:
        (tmp_path / f"{module}.py").write_text(source)
        metadata = tmp_path / f"{module}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{name or module} = {value}\n")
        monkeypatch.delitem(sys.modules, module, raising=False)

    return install


async def test_the_example_in_the_documentation_works(install: Install) -> None:
    assert discovery.__doc__ is not None
    module, entry = (
        textwrap.dedent(block).strip()
        for block in re.findall(r"(?:^(?: {4}.*)?\n)+", discovery.__doc__, re.MULTILINE)
        if block.strip()
    )
    assert len([line for line in module.splitlines() if line]) <= 10
    name, value = re.findall(r'^(\w+) = "(.*)"$', entry, re.MULTILINE)[0]
    assert f'"{GROUP}"' in entry
    install("dice", module, value, name)
    found = discover()
    assert found.broken == ()
    (toolset,) = found.toolsets
    actions = ThreadActions(toolset.tools)
    actions.bind_authorization(AccessContext("/somewhere"), OPERATOR.id, AccessPolicy.shipped())
    told: list[str] = []

    async def tell(text: str) -> None:
        told.append(text)

    result = await actions.launch("roll_dice", '{"sides": 6}', tell)
    assert result.success and int(result.text) in range(1, 7)
    assert told == ["The dice are rolling"]
    assert not (await actions.launch("roll_dice", '{"sides": 1}')).success


def test_nothing_is_imported_before_it_is_asked_for(install: Install) -> None:
    install("lazy_tools", GOOD, "lazy_tools:made")
    assert "lazy_tools" not in sys.modules
    assert [toolset.name for toolset in discover().toolsets] == ["good"]
    assert "lazy_tools" in sys.modules


@pytest.mark.parametrize(
    ("source", "value", "reason"),
    [
        ("import no_such_module", "bad:made", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("made = (", "bad:made", "SyntaxError"),
        ("", "bad:made", "AttributeError"),
        ("", "no_such_bad:made", "ModuleNotFoundError"),
        ("import sys; sys.exit(1)", "bad:made", "tried to end the process"),
        ("def made(): raise ValueError('not today')", "bad:made", "ValueError: not today"),
        ("def made(): return 7", "bad:made", "is no Toolset but int"),
        (GOOD.replace("good_tool", "exec_command"), "bad:made", "Codex has a tool of that name"),
        (GOOD.replace('"object"', '"object", "required": 1'), "bad:made", "at required"),
        (GOOD.replace("good_tool", "shipped_tool"), "bad:made", "two of that name"),
    ],
)
def test_a_broken_toolset_is_named_with_its_reason_and_stops_no_other(
    install: Install, source: str, value: str, reason: str
) -> None:
    install("bad", source, value)
    install("good", GOOD, "good:made")
    found = discover([Toolset("shipped", (Tool("shipped_tool", "", {"type": "object"}, never),))])
    assert [toolset.name for toolset in found.toolsets] == ["good"]
    assert [broken.name for broken in found.broken] == ["bad"]
    assert reason in found.broken[0].reason


def test_a_toolset_that_does_not_load_holds_up_nothing(install: Install) -> None:
    install("bad", "import threading; threading.Event().wait()", "bad:made")
    install("good", GOOD, "good:made")
    found = discover(seconds=1)
    assert [toolset.name for toolset in found.toolsets] == ["good"]
    assert "was not loaded within 1 s" in found.broken[0].reason


def test_the_second_of_two_with_the_same_tools_is_broken(install: Install) -> None:
    install("one", GOOD, "one:made")
    install("two", GOOD, "two:made")
    found = discover()
    assert [toolset.name for toolset in found.toolsets] == ["good"]
    assert [broken.name for broken in found.broken] == ["two"]
