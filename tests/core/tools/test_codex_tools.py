"""The names that are Codex's own, against the real Codex."""

from __future__ import annotations

from pathlib import Path

from core.demo.process import ModelProcess
from core.demo.scratch import Scratch
from core.engine import open_engine
from core.settings import HostSettings, Settings, ToolSettings
from core.tools.toolset import CODEX_TOOLS
from tests.support.watcher import Watcher


async def test_every_tool_that_codex_offers_is_known(
    scratch: Scratch, model: ModelProcess, codex_binary: Path, tmp_path: Path
) -> None:
    settings = Settings(
        data_dir=tmp_path / "data",
        host=HostSettings(codex=codex_binary, codex_home=scratch.home),
        tools=ToolSettings(off=("knowledge", "ask_user")),
    )
    engine = await open_engine(settings)
    try:
        conversation = await engine.create(scratch.project)
        await conversation.send("/say hello", "k1")
        await Watcher(engine).settled(conversation)
        offered = {tool for request in await model.requests() for tool in request.tools}
    finally:
        await engine.close()
    assert "exec_command" in offered
    # A dot stands between a namespace and a name: no dynamic tool can be called so.
    assert {tool for tool in offered if "." not in tool} <= CODEX_TOOLS
