"""What a bench tells: figures with a target each, and the registry of benches.

A bench is a function, sync or async, decorated with `@bench("group.name")`; it returns its figures. Each
runs in a process of its own. A figure compares two measurements of the same run, `ours` and `floor`, so
that it says the same on a fast and a slow machine; or it holds `ours` against a plain limit.
"""

from __future__ import annotations

import statistics
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """`ours` and `floor` in `unit`; `floor` None: `target` is a limit for `ours` itself, else for the ratio."""

    name: str
    ours: float
    target: float
    floor: float | None = None
    unit: str = "ms"
    note: str = ""

    @property
    def ratio(self) -> float | None:
        return None if self.floor is None else self.ours / max(self.floor, 1e-9)

    @property
    def measured(self) -> float:
        """What is held against the target."""
        return self.ours if self.ratio is None else self.ratio

    @property
    def ok(self) -> bool:
        return self.measured <= self.target


Bench = Callable[[], Sequence[Figure] | Awaitable[Sequence[Figure]]]

BENCHES: dict[str, Bench] = {}


def bench(name: str) -> Callable[[Bench], Bench]:
    """Register a bench under a name, `group.name`."""

    def register(function: Bench) -> Bench:
        BENCHES[name] = function
        return function

    return register


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that `percent` of them do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


HEAD = f"{'figure':<58} {'ours':>12} {'floor':>12} {'ratio':>7} {'target':>8}  "


def line(figure: Figure) -> str:
    """A figure as a line of the table."""
    ours = f"{figure.ours:.2f} {figure.unit}"
    floor = "" if figure.floor is None else f"{figure.floor:.2f} {figure.unit}"
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    verdict = "ok" if figure.ok else "short"
    note = f"  ({figure.note})" if figure.note else ""
    return f"{figure.name:<58} {ours:>12} {floor:>12} {ratio:>7} {'≤ ' + f'{figure.target:g}':>8}  {verdict}{note}"
