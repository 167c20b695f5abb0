from __future__ import annotations

from pathlib import Path

import pytest

from core.conversation.workspace import Defaults, ExecutionPolicy, Workspace
from core.errors import InvalidRequest, InvalidState, NotFound


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("a")
    (tmp_path / "secret").write_text("s")
    return Workspace("w", root, 1, Defaults(), ExecutionPolicy())


def test_a_path_inside_is_given_relative_and_absolute(workspace: Workspace) -> None:
    relative, absolute = workspace.resolve(Path("src/../src/a.py"))
    assert relative == Path("src/a.py")
    assert absolute == workspace.path.resolve() / "src" / "a.py"


@pytest.mark.parametrize("path", ["../secret", "src/../../secret", "../nothing-there", "/etc/passwd"])
def test_a_path_that_leads_out_is_refused(workspace: Workspace, path: str) -> None:
    with pytest.raises(InvalidRequest):
        workspace.resolve(Path(path))


def test_a_link_that_leads_out_is_refused(workspace: Workspace) -> None:
    (workspace.path / "link").symlink_to(workspace.path.parent)
    with pytest.raises(InvalidRequest, match="leads out"):
        workspace.resolve(Path("link/secret"))


def test_a_link_in_a_circle_is_refused(workspace: Workspace) -> None:
    (workspace.path / "loop").symlink_to("loop")
    with pytest.raises(InvalidRequest):
        workspace.resolve(Path("loop/x"))


def test_what_is_missing_is_not_found(workspace: Workspace) -> None:
    with pytest.raises(NotFound):
        workspace.resolve(Path("src/b.py"))


def test_settings_that_cannot_be_read_are_an_invalid_state() -> None:
    with pytest.raises(InvalidState):
        Workspace.parse("w", "/", 1, "{", "{}")
