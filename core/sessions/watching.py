"""What other programs write under a CODEX_HOME, told as it happens."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from core.sessions.disk import FOLDERS, is_rollout

log = logging.getLogger(__name__)

_QUIET_MS = 100
_LONGEST_MS = 400


async def watch_rollouts(
    home: Path, changed: Callable[[Sequence[Path]], None], moved: Callable[[], None]
) -> None:
    """Until cancelled: `changed` with the files that were written, `moved` when one is gone.

    The folders are made where they are missing, as Codex would: one that is not there cannot be watched.
    """
    from watchfiles import Change, awatch  # pyright: ignore[reportUnknownVariableType] - names trio, not installed

    folders = [home / name for name in FOLDERS]
    try:
        for folder in folders:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        async for changes in awatch(*folders, debounce=_LONGEST_MS, step=_QUIET_MS, rust_timeout=0):
            files = {Path(path): kind for kind, path in changes if is_rollout(Path(path))}
            written = [path for path, kind in files.items() if kind is not Change.deleted]
            if written:
                changed(written)
            if len(written) < len(files):
                moved()
    except OSError as error:
        log.warning("new sessions of other programs come up with the next start only: %s", error)
