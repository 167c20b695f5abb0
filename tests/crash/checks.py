"""The five rules of DESIGN (What must hold), asked of what a campaign left behind."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

from core.agent.items import CommandRun, Item, Status, UserMessage, load_item
from core.conversation.live import LiveConversation
from core.engine import DATABASE, Engine, open_engine
from core.thread.boxes import TOOL_RETURN, USER, CallMeta, ChatBox, ItemMeta, ResultMeta, hidden_of
from core.thread.state import ConversationState
from tests.crash.campaign import Campaign
from tests.crash.child import mark_tool
from tests.crash.owed import answers
from tests.support.watcher import Watcher


async def check(campaign: Campaign, project: Path) -> list[str]:
    """Everything that is wrong, a line each."""
    problems = list(campaign.story.problems)
    engine = await open_engine(campaign.settings, [mark_tool(project / "tool-marks.txt")])
    try:
        watcher = Watcher(engine)
        found = await engine.latest(project)
        if found is None:
            return [*problems, "the conversation is gone"]
        conversation = await engine.open(found.id)
        assert isinstance(conversation, LiveConversation)
        await watcher.until(lambda: engine.host.phase.value == "ready")
        await conversation.attached()
        items = await _items(engine, conversation.thread_id or "")
        boxes = list(conversation.runtime.thread.boxes)
        problems += _messages(campaign, items, boxes, await engine.draft(conversation.id))
        problems += _transcript(items, boxes)
        problems += campaign.owed.missing({}, answers(boxes))
        problems += _marks(campaign, project, boxes)
        problems += _decisions(campaign)
        if reverted := conversation.runtime.thread.state.reverted:
            problems.append(f"{reverted} is said to be taken back, and nobody did")
        records = await engine._store.records.read(conversation.id)
        if ConversationState.recover(records)._thread != conversation.runtime.thread.state._thread:
            problems.append("the recovered state is not the fold of the log")
    finally:
        await engine.close()
    return problems


async def _items(engine: Engine, thread_id: str) -> list[Item]:
    found: list[Item] = []
    cursor: str | None = None
    while True:
        page = await engine._agent.items(thread_id, None, cursor)
        found += [entry.item for entry in page.entries]
        cursor = page.cursor
        if cursor is None:
            return found


def _messages(campaign: Campaign, items: list[Item], boxes: list[ChatBox], draft: str) -> list[str]:
    """Rule 1: a message that was taken reaches Codex exactly once, and is in the transcript once.

    Or it was taken back: then it is in the draft once, and nowhere else.
    """
    at_codex = [item.text for item in items if isinstance(item, UserMessage)]
    shown = Counter(box.contents for box in boxes if box.box_type == USER)
    accepted = {message.key for message in campaign.story.accepted}
    problems: list[str] = []
    for message in campaign.story.sent:
        times = sum(message.text in text for text in at_codex)
        if back := draft.count(message.text):
            if back > 1 or times or shown[message.text]:
                problems.append(f"message {message.key} is in the draft {back} times, {times} at Codex")
            continue
        if times > 1:
            problems.append(f"message {message.key} reached Codex {times} times")
        if message.key in accepted and times == 0:
            problems.append(f"message {message.key} never reached Codex")
        if message.key in accepted and shown[message.text] != 1:
            problems.append(f"message {message.key} is {shown[message.text]} times in the transcript")
    return problems


def _transcript(items: list[Item], boxes: list[ChatBox]) -> list[str]:
    """Rule 5, and each of Codex's items once."""
    problems = [f"box {box.id} is in place {n}" for n, box in enumerate(boxes, 1) if box.id != n]
    recorded: Counter[str] = Counter()
    for box in boxes:
        meta = hidden_of(box)
        if isinstance(meta, ItemMeta | CallMeta):
            recorded[meta.item_id] += 1
    problems += [
        f"item {item} is {count} times in the transcript" for item, count in recorded.items() if count > 1
    ]
    missing = [item.id for item in items if not isinstance(item, UserMessage) and item.id not in recorded]
    return problems + [f"item {item} is not in the transcript" for item in missing]


def _marks(campaign: Campaign, project: Path, boxes: list[ChatBox]) -> list[str]:
    """Rules 2 and 4: nothing ran twice, and nothing that was declined ran."""
    lines: Counter[str] = Counter()
    for name in ("marks.txt", "tool-marks.txt"):
        file = project / name
        lines.update(file.read_text().split() if file.exists() else [])
    problems = [f"{mark} ran {count} times" for mark, count in lines.items() if count > 1]
    for box in boxes:
        meta = hidden_of(box) if box.box_type == TOOL_RETURN else None
        if not isinstance(meta, ResultMeta) or not meta.metadata_contents:
            continue
        item = load_item(meta.metadata_contents)
        if not isinstance(item, CommandRun):
            continue
        for mark in (m.mark for m in campaign.story.sent if m.mark and m.mark in item.command):
            if item.status is Status.DECLINED and lines[mark]:
                problems.append(f"{mark} was declined and ran")
            if item.status is Status.DONE and item.exit_code == 0 and not lines[mark]:
                problems.append(f"{mark} is said to have run and did not")
    return problems


def _decisions(campaign: Campaign) -> list[str]:
    """Rule 2: each decision is recorded once, and the ledger knows what became of it."""
    with sqlite3.connect(campaign.settings.data_dir / DATABASE) as database:
        rows = database.execute("SELECT id, state, decided_by, decision_id FROM notifications").fetchall()
    states = {row[0]: row[1] for row in rows}
    problems = [
        f"notification {number} was decided and the database has no decision"
        for number in campaign.story.decided
        if states.get(number) in (None, "pending")
    ]
    decisions = Counter(row[3] for row in rows if row[3] is not None)
    problems += [f"decision {decision} stands for two requests" for decision, n in decisions.items() if n > 1]
    return problems + [
        f"notification {number} is still {state}"
        for number, state in states.items()
        if state in ("pending", "decided", "sent")
    ]
