"""Bringing the engine up. Imported after the first paint, as it pulls in everything behind the screen."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from core.engine import Engine, open_engine
from core.errors import HostUnavailable
from core.logfile import log_file, logging_to
from core.settings import DIRS, Settings, config_path, load_settings
from tui.desk import Desk
from tui.launch import Launch
from tui.prompts.area import PromptArea
from tui.widgets.sign_in import SignIn

__all__ = ["Desk", "PromptArea", "Session", "SignIn", "open_session"]

CLOSING = 10.0
"""Seconds that letting go of everything may take."""


class Session:
    """The open engine, the settings it has and their file (None: none), and the folder that Codex works in.

    `stack` is closed after the engine; `demo`: it ends the host too, so that nothing goes on.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        folder: Path,
        stack: AsyncExitStack,
        *,
        demo: bool = False,
        config: Path | None = None,
    ) -> None:
        self.engine = engine
        self.settings = settings
        self.folder = folder
        self._stack = stack
        self.config = config
        self._demo = demo

    async def close(self) -> str:
        """Let go of everything; what goes on running is said in the returned sentence."""
        left = ""
        try:
            async with asyncio.timeout(CLOSING):
                left = await self.engine.close()
        except TimeoutError:
            left = "Codex did not answer while Quarterdeck let go of it: what ran there goes on."
        finally:
            await self._stack.aclose()
        return "" if self._demo else left


async def open_session(launch: Launch) -> Session:
    """Raises QuarterdeckError where the settings, the store or the demo cannot be used."""
    settings = load_settings(config_path())
    async with AsyncExitStack() as stack:
        folder = launch.folder
        if launch.demo:
            settings, folder = await _scratch(settings, stack)
        stack.enter_context(logging_to(log_file()))
        engine = await open_engine(settings)
        return Session(engine, settings, folder, stack.pop_all(), demo=launch.demo, config=config_path())


async def _scratch(settings: Settings, stack: AsyncExitStack) -> tuple[Settings, Path]:
    """Settings for the demo's own Codex, which is ended with the stack."""
    from core.demo.scratch import lasting_scratch

    base = Path(DIRS.user_cache_dir) / "demo"
    try:
        scratch = await stack.enter_async_context(lasting_scratch(base))
    except OSError as error:
        raise HostUnavailable(
            "The demo cannot start", why=f"{base}: {error.strerror}", todo="Make room there, then try again."
        ) from error
    host = settings.host.model_copy(update={"mode": "control-socket", "codex_home": scratch.home})
    data_dir = scratch.folder / "data"
    return settings.model_copy(update={"host": host, "data_dir": data_dir}), scratch.project
