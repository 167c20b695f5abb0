"""Run benches: `python -m tests.bench [NAME…]`.

A name is a bench's, or the beginning of several. Prints a line for each figure; the exit status is 1
where a figure falls short of its target, 2 where a bench failed.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import tests.bench
from tests.bench.figures import BENCHES, HEAD, Figure, line

ONE = "--one"
TIMEOUT_SECONDS = 900


def main(arguments: list[str]) -> int:
    for module in pkgutil.iter_modules(tests.bench.__path__):
        if module.name.startswith("bench_"):
            importlib.import_module(f"tests.bench.{module.name}")
    if arguments[:1] == [ONE]:
        _run_here(arguments[1])
        return 0
    names = [
        name for name in BENCHES if not arguments or any(name.startswith(wanted) for wanted in arguments)
    ]
    if not names:
        print(f"No bench is called that. There are: {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    print(HEAD)
    status = 0
    for name in names:
        status = max(status, _run_apart(name))
    return status


def _run_here(name: str) -> None:
    figures = BENCHES[name]()
    if inspect.isawaitable(figures):
        figures = asyncio.run(_awaited(figures))
    print(json.dumps([asdict(figure) for figure in figures]))


async def _awaited(figures: object) -> list[Figure]:
    return list(await figures)  # type: ignore[misc]


def _run_apart(name: str) -> int:
    """Run a bench in a process of its own and print its figures."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench", ONE, name],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    if ran.returncode:
        print(f"{name} failed:\n{ran.stderr}", file=sys.stderr)
        return 2
    figures = [Figure(**figure) for figure in json.loads(ran.stdout.splitlines()[-1])]
    for figure in figures:
        print(line(figure), flush=True)
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
