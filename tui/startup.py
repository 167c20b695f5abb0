"""Bringing the engine up. Imported after the first paint, as it pulls in everything behind the screen."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from core.engine import GOES_ON, Engine, open_engine
from core.logfile import log_file, logging_to
from core.settings import Settings, config_path, load_settings
from tui.desk import Desk
from tui.launch import Launch
from tui.prompts.area import PromptArea
from tui.widgets.sign_in import SignIn

__all__ = ["Desk", "PromptArea", "Session", "SignIn", "open_session"]

CLOSING = 10.0
"""Seconds that letting go of everything may take."""

ENDS = "it ends with the demo. `quarterdeck --demo --continue` shows how far it came."


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
        then = ENDS if self._demo else GOES_ON
        left = ""
        try:
            async with asyncio.timeout(CLOSING):
                left = await self.engine.close(then)
        except TimeoutError:
            left = f"Codex did not answer while Quarterdeck let go of it. If something ran there, {then}"
        finally:
            await self._stack.aclose()
        return left


async def open_session(launch: Launch) -> Session:
    """Raises QuarterdeckError where the settings, the store or the demo cannot be used."""
    settings = load_settings(config_path())
    async with AsyncExitStack() as stack:
        folder = launch.folder
        if launch.demo:
            from core.demo.place import entered

            settings, folder = await stack.enter_async_context(entered(settings))
        stack.enter_context(logging_to(log_file()))
        engine = await open_engine(settings)
        return Session(engine, settings, folder, stack.pop_all(), demo=launch.demo, config=config_path())
