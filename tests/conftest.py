"""Fixtures that every test may use.

- `codex_binary`: the bundled Codex.
- `model`: a scripted model (`core.demo`), reset for each test; its process is shared by the whole run.
- `scratch`: a CODEX_HOME and a project of the test's own that point to `model`. Whatever still runs for
  that CODEX_HOME when the test ends is ended.

No test sees the user's HOME, settings or keys, or what another test left in its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from core.demo.process import ModelProcess
from core.demo.scratch import Scratch, make_scratch, remove_scratch


@pytest.fixture(scope="session")
def codex_binary() -> Path:
    """The Codex binary of the bundled wheel."""
    from codex_cli_bin import bundled_codex_path

    return Path(bundled_codex_path())


_homes = count()


@pytest.fixture(autouse=True)
def _isolated(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.getbasetemp() / f"home-{next(_homes)}"
    home.mkdir()
    for name in tuple(os.environ):
        if name.startswith(("CODEX_", "OPENAI_", "XDG_", "QUARTERDECK_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))


@pytest.fixture(scope="session")
def _shared_model() -> Iterator[ModelProcess]:
    model = ModelProcess.start(record=True)
    yield model
    model.close()


@pytest.fixture
def model(_shared_model: ModelProcess) -> ModelProcess:
    """A scripted model that has seen nothing yet, without pauses, recording what is asked."""
    _shared_model.reset()
    return _shared_model


@pytest.fixture
def scratch(model: ModelProcess) -> Iterator[Scratch]:
    """A CODEX_HOME (`home`), a `project` and `env` for a Codex of this test alone."""
    made = make_scratch(model)
    yield made
    remove_scratch(made)
