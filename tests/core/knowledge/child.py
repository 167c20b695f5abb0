"""Forgets a conversation's documents, and after each step says so and waits for a word.

Run as a process of its own, to be killed between two steps.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from core.knowledge.base import KnowledgeBase
from core.knowledge.documents import Owner
from core.store.knowledge import Knowledge
from core.store.store import Store
from tests.core.knowledge.conftest import CONVERSATION


def step(name: str) -> None:
    sys.stdout.write(f"{name}\n")
    sys.stdout.flush()
    sys.stdin.readline()


class Stepwise(Knowledge):
    async def begin_forget(self, owner: Owner) -> None:
        await super().begin_forget(owner)
        step("begun")

    async def forget_some(self, owner: Owner) -> bool:
        more = await super().forget_some(owner)
        step("some" if more else "all")
        return more


async def main(path: Path) -> None:
    store = await Store.open(path)
    documents = Stepwise(store.database, lambda: 1_000)
    await KnowledgeBase(documents, store.imports).forget(CONVERSATION)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
