"""Accepts a message with an image in a process of its own, where no Codex is, and is killed with SIGKILL.

`python -m tests.core.conversation.image_child DATA_DIR PROJECT IMAGE WHEN`: as soon as the image was copied (`copied`),
or as soon as the message was accepted (`accepted`). The conversation's id is printed before.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from core.engine import open_engine
from core.settings import HostSettings, Settings
from tests.core.operations.child import kill_around

KEY = "k1"
TEXT = "/say I see [Image #1 chart.png 1 KB]"


async def main(data_dir: str, project: str, image: str, when: str) -> None:
    nowhere = HostSettings(codex=Path(data_dir) / "no-codex", codex_home=Path(data_dir) / "no-home")
    engine = await open_engine(Settings(data_dir=Path(data_dir), host=nowhere))
    conversation = await engine.create(Path(project))
    sys.stdout.write(f"{conversation.id}\n")
    sys.stdout.flush()
    if when == "copied":
        kill_around(engine._store.images, "keep", "after")
    await conversation.send(TEXT, KEY, attachments=[image])
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
