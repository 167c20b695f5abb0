"""Where the demo lives between its runs, for its console and for commands that look at what it kept."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from core.demo.scratch import PROJECT, first_folder, lasting_scratch, shared_scratch
from core.errors import HostUnavailable, NotFound
from core.settings import DIRS, Settings


def _base() -> Path:
    return Path(DIRS.user_cache_dir) / "demo"


def project() -> Path:
    """The folder that the demo's Codex works in."""
    return first_folder(_base()) / PROJECT


def _in_folder(settings: Settings, folder: Path, home: Path) -> Settings:
    """These settings, with the Codex and the data of the demo that lives there."""
    host = settings.host.model_copy(update={"mode": "control-socket", "codex_home": home})
    return settings.model_copy(update={"host": host, "data_dir": folder / "data"})


@asynccontextmanager
async def entered(settings: Settings) -> AsyncGenerator[tuple[Settings, Path]]:
    """The demo for a console: settings for its own Codex, which is ended at the end, and the folder to work in.

    Raises HostUnavailable.
    """
    base = _base()
    async with AsyncExitStack() as stack:
        try:
            scratch = await stack.enter_async_context(lasting_scratch(base))
        except OSError as error:
            raise HostUnavailable(
                "The demo cannot start",
                why=f"{base}: {error.strerror}",
                todo="Make room there, then try again.",
            ) from error
        yield _in_folder(settings, scratch.folder, scratch.home), scratch.project


def kept(settings: Settings) -> Settings:
    """Settings for what the demo keeps, without a Codex. Of several consoles on the demo, the first one's.

    Raises NotFound where it never ran.
    """
    folder = first_folder(_base())
    if not folder.is_dir():
        raise NotFound("The demo has kept nothing yet", todo="Try it: quarterdeck --demo")
    return _in_folder(settings, folder, folder / "home")


@asynccontextmanager
async def visited(settings: Settings) -> AsyncGenerator[Settings]:
    """The same with a model, for a command that talks to Codex: its console's, or one for as long as this lasts.

    Raises NotFound as `kept`, HostUnavailable.
    """
    there = kept(settings)
    async with shared_scratch(first_folder(_base())):
        yield there
