"""Which conversation `export --last` means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.engine import DATABASE
from core.errors import NotFound
from core.export.command import ExportOrder, export
from core.export.parts import Format
from core.settings import Settings
from core.store.store import Store

LAST = ExportOrder(None, Path(), Format.JSONL, "-", secrets=False, overwrite=False)


async def test_a_folder_without_a_conversation_is_named_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFound, match=str(tmp_path)):
        await export(Settings(data_dir=tmp_path / "data"), LAST)


async def test_it_is_never_a_sub_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    store = await Store.open(tmp_path / "data" / DATABASE, console="test")
    workspace = await store.workspaces.create("w", str(tmp_path))
    asked = await store.conversations.create("asked", workspace.id, workspace.revision, title="The pier")
    helper = await store.conversations.create("helper", workspace.id, workspace.revision, title="A helper")
    await store.conversations.change(helper.id, parent_id=asked.id)
    await store.close()
    await export(Settings(data_dir=tmp_path / "data"), LAST)
    _, conversation, *_ = capsys.readouterr().out.splitlines()
    assert json.loads(conversation)["title"] == "The pier"
