"""Logs as a conversation makes them, for what exports them."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from core.agent.items import Change, CommandRun, FileChange, Status, dump_item
from core.rows import LedgerEntry, OutcomeRow
from core.thread.boxes import (
    ASSISTANT,
    NOTICE,
    REASONING,
    TOOL_CALL,
    TOOL_RETURN,
    USER,
    BoxDraft,
    BoxId,
    CallMeta,
    ChatBox,
    InputMeta,
    ItemMeta,
    NoticeMeta,
    ResultMeta,
    draft,
)
from core.thread.records import BoxRecord, EventRecord, Record

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
TIMES = st.integers(1, 2_000_000_000_000)


def record(number: int, made: BoxDraft) -> BoxRecord:
    return BoxRecord(
        ChatBox(BoxId(number), made.box_type, made.contents, made.hidden_type, made.hidden_contents)
    )


@st.composite
def logs(draw: st.DrawFn, texts: st.SearchStrategy[str] = TEXT) -> list[tuple[int, Record]]:
    """(time, record): messages, answers, commands with their returns, notices, and events between them."""
    found: list[tuple[int, Record]] = []
    at_ms = draw(TIMES)
    last, index = 0, 0

    def add(made: BoxDraft) -> int:
        nonlocal last, index
        last, index = last + 1, 0
        found.append((at_ms, record(last, made)))
        return last

    for number in range(draw(st.integers(0, 6))):
        at_ms += draw(st.sampled_from([0, 0, 1, 1000]))
        match draw(st.sampled_from(["said", "answer", "thought", "command", "files", "notice", "event"])):
            case "said":
                add(draft(USER, draw(texts), InputMeta(key=f"k{number}", attachments=(draw(texts),))))
            case "answer":
                meta = ItemMeta(item_id=f"i{number}", turn_id="t", item_json="")
                add(draft(ASSISTANT, draw(texts), meta))
            case "thought":
                add(BoxDraft(REASONING, draw(texts)))
            case "command":
                ran = CommandRun(
                    id=f"i{number}", command=draw(texts), cwd="/w", status=Status.DONE, exit_code=0
                )
                call = add(draft(TOOL_CALL, ran.command, _call("command", number, dump_item(ran))))
                add(draft(TOOL_RETURN, draw(texts), _result(call, dump_item(ran))))
            case "files":
                change = Change(path=draw(texts), verb="update", diff=draw(texts))
                patch = FileChange(id=f"i{number}", changes=(change,), status=Status.DECLINED)
                call = add(draft(TOOL_CALL, change.path, _call("file_change", number, dump_item(patch))))
                add(draft(TOOL_RETURN, "", _result(call, dump_item(patch))))
            case "notice":
                add(draft(NOTICE, draw(texts), NoticeMeta(level="warning", detail=draw(texts))))
            case _:
                index += 1
                found.append((at_ms, EventRecord(last, index, "llm_done", '{"resume":false}')))
    return found


def _call(name: str, number: int, item: str) -> CallMeta:
    return CallMeta(name=name, item_id=f"i{number}", turn_id="t", item_json=item)


def _result(call: int, item: str) -> ResultMeta:
    return ResultMeta(tool_call_id=call, success=True, metadata_type="item", metadata_contents=item)


@st.composite
def ledgers(draw: st.DrawFn, texts: st.SearchStrategy[str] = TEXT) -> list[LedgerEntry]:
    return [
        LedgerEntry(
            id=number,
            at_ms=draw(TIMES),
            conversation_id="c",
            decided_by=draw(texts),
            kind="command",
            content=json.dumps({"command": draw(texts)}),
            content_hash="h",
            answer='{"type":"decide"}',
            outcomes=tuple(OutcomeRow(draw(TIMES), draw(texts)) for _ in range(draw(st.integers(0, 2)))),
        )
        for number in range(1, draw(st.integers(0, 3)) + 1)
    ]
