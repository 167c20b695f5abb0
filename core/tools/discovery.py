"""Toolsets that the user installs: Python entry points in the group `quarterdeck.toolsets`.

A toolset of one's own is a package with a module such as this one, `dice.py`:

    import random
    from core.tools.toolset import Tool, Toolset

    async def roll(context, arguments):
        await context.progress("The dice are rolling")
        return str(random.randint(1, arguments["sides"]))

    SIDES = {"type": "object", "properties": {"sides": {"type": "integer", "minimum": 2}}, "required": ["sides"]}
    dice = Toolset("dice", (Tool("roll_dice", "Roll a die and get the number.", SIDES, roll),))

and these two lines in its `pyproject.toml`:

    [project.entry-points."quarterdeck.toolsets"]
    dice = "dice:dice"

The object is a `Toolset`, or a function without arguments that returns one.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from core.errors import QuarterdeckError
from core.tools.arguments import check_schema
from core.tools.toolset import Toolset, check_tools

GROUP = "quarterdeck.toolsets"
LOAD_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class BrokenToolset:
    """An entry point that gives no toolset, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Discovered:
    toolsets: tuple[Toolset, ...]
    broken: tuple[BrokenToolset, ...]


def discover(shipped: Sequence[Toolset] = (), seconds: float = LOAD_SECONDS) -> Discovered:
    """Load the installed toolsets, by name; never raises for one that is broken.

    Blocks while their modules are imported, at most `seconds` for each: call it in a thread, and not
    before the first tools are needed. One whose tools are named like those of `shipped`, or of one before
    it, is broken.
    """
    toolsets: list[Toolset] = []
    broken: list[BrokenToolset] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            toolset = _loaded(entry, seconds)
            check_tools([tool for known in (*shipped, *toolsets, toolset) for tool in known.tools])
            for tool in toolset.tools:
                check_schema(tool)
            toolsets.append(toolset)
        except QuarterdeckError as error:
            broken.append(BrokenToolset(entry.name, str(error)))
        except Exception as error:  # noqa: BLE001 - others' code: what it raises is why it is broken
            broken.append(BrokenToolset(entry.name, f"{type(error).__name__}: {error}"))
    return Discovered(tuple(toolsets), tuple(broken))


def _loaded(entry: EntryPoint, seconds: float) -> Toolset:
    """On a thread that is given up when it takes too long: it does not hold up the end of the process."""
    outcome: list[Any] = []

    def load() -> None:
        try:
            found: Any = entry.load()
            outcome.append(found if isinstance(found, Toolset) else found())
        except BaseException as error:  # noqa: BLE001 - a module that exits is a broken one
            outcome.append(error)

    thread = threading.Thread(target=load, name=f"load {entry.name}", daemon=True)
    thread.start()
    thread.join(seconds)
    if not outcome:
        raise TimeoutError(f"{entry.value} was not loaded within {seconds:g} s")
    found = outcome[0]
    if isinstance(found, Exception):
        raise found
    if isinstance(found, BaseException):
        raise RuntimeError(f"{entry.value} tried to end the process") from found
    if not isinstance(found, Toolset):
        raise TypeError(f"{entry.value} is no Toolset but {type(found).__name__}")
    return found
