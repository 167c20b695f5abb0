"""One host for all tests of a file: they differ in their threads and projects only, and starting a host
costs more than most of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.demo.process import ModelProcess
from core.demo.scratch import Scratch, make_scratch, remove_scratch


@pytest.fixture(scope="module")
def shared_scratch(_shared_model: ModelProcess) -> Iterator[Scratch]:
    made = make_scratch(_shared_model)
    yield made
    remove_scratch(made)


@pytest.fixture
def scratch(shared_scratch: Scratch, model: ModelProcess) -> Scratch:
    """The scratch of the file, with a model that has seen nothing yet."""
    assert model is shared_scratch.model
    return shared_scratch


@pytest.fixture
def project(shared_scratch: Scratch, tmp_path: Path) -> Path:
    """A project of the test's own."""
    return Path(shutil.copytree(shared_scratch.project, tmp_path / "project")).resolve()
