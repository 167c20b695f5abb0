"""A conversation with every kind of entry, for pictures and for tests that want one of each."""

from __future__ import annotations

import json
import shlex

from core.agent.items import (
    AgentMessage,
    Change,
    CommandRun,
    FileChange,
    Image,
    Item,
    Marker,
    OtherItem,
    Plan,
    Reasoning,
    Status,
    SubAgentCall,
    ToolCall,
    WebSearch,
    dump_item,
)
from core.thread.boxes import (
    ASSISTANT,
    ITEM,
    NOTICE,
    PLAN,
    REASONING,
    TOOL_CALL,
    TOOL_MESSAGE,
    TOOL_RETURN,
    USER,
    BoxDraft,
    BoxId,
    CallMeta,
    ChatBox,
    InputMeta,
    ItemMeta,
    MessageMeta,
    NoticeMeta,
    ResultMeta,
    draft,
)

TURN = "turn-1"


class Log:
    """Boxes with running numbers, as a conversation records them."""

    def __init__(self) -> None:
        self.boxes: list[ChatBox] = []

    def add(self, made: BoxDraft) -> ChatBox:
        box = ChatBox(
            BoxId(len(self.boxes) + 1), made.box_type, made.contents, made.hidden_type, made.hidden_contents
        )
        self.boxes.append(box)
        return box

    def user(
        self, text: str, key: str = "", attachments: tuple[str, ...] = (), elsewhere: bool = False
    ) -> ChatBox:
        key = key or f"key-{len(self.boxes) + 1}"
        return self.add(draft(USER, text, InputMeta(key=key, attachments=attachments, elsewhere=elsewhere)))

    def item(self, item: Item, box_type: str = ITEM, contents: str = "") -> ChatBox:
        meta = ItemMeta(item_id=item.id, turn_id=TURN, item_json=dump_item(item))
        return self.add(draft(box_type, contents, meta))

    def message(self, text: str, item_id: str = "", cut: bool = False) -> ChatBox:
        item = AgentMessage(id=item_id or f"message-{len(self.boxes)}", text=text, cut=cut)
        return self.item(item, ASSISTANT, text)

    def reasoning(self, *summary: str, item_id: str = "") -> ChatBox:
        item = Reasoning(id=item_id or f"reasoning-{len(self.boxes)}", summary=summary)
        return self.item(item, REASONING, "\n\n".join(summary))

    def plan(self, text: str) -> ChatBox:
        return self.item(Plan(id=f"plan-{len(self.boxes)}", text=text), PLAN, text)

    def notice(self, level: str, text: str, detail: str = "") -> ChatBox:
        return self.add(draft(NOTICE, text, NoticeMeta(level=level, detail=detail)))

    def call(self, item: Item, name: str = "tool", contents: str = "") -> ChatBox:
        meta = CallMeta(name=name, item_id=item.id, turn_id=TURN, item_json=dump_item(item))
        return self.add(draft(TOOL_CALL, contents, meta))

    def progress(self, call: ChatBox, text: str) -> ChatBox:
        return self.add(draft(TOOL_MESSAGE, text, MessageMeta(tool_call_id=call.id)))

    def returned(self, call: ChatBox, item: Item | None, text: str = "", success: bool = True) -> ChatBox:
        meta = ResultMeta(
            tool_call_id=call.id,
            success=success,
            metadata_type="item" if item is not None else "",
            metadata_contents=dump_item(item) if item is not None else "",
        )
        return self.add(draft(TOOL_RETURN, text, meta))

    def command(
        self,
        command: str,
        output: str = "",
        *,
        status: Status = Status.DONE,
        exit_code: int | None = 0,
        duration_ms: int | None = 1200,
        cwd: str = "~/harbour",
    ) -> ChatBox:
        run = CommandRun(id=f"command-{len(self.boxes)}", command=command, cwd=cwd, status=Status.RUNNING)
        call = self.call(run, "command", command)
        if status is not Status.RUNNING:
            ended = {"status": status, "exit_code": exit_code, "duration_ms": duration_ms}
            self.returned(call, run.model_copy(update=ended), output, status is Status.DONE)
        return call

    def patch(self, *changes: Change, status: Status = Status.DONE, remark: str = "") -> ChatBox:
        change = FileChange(id=f"patch-{len(self.boxes)}", changes=changes, status=Status.RUNNING)
        call = self.call(change, "file_change")
        if status is not Status.RUNNING:
            self.returned(call, change.model_copy(update={"status": status}), remark, status is Status.DONE)
        return call

    def tool(
        self,
        tool: str,
        arguments: str,
        result: str = "",
        *,
        server: str | None = None,
        status: Status = Status.DONE,
        notes: tuple[str, ...] = (),
        metadata: tuple[str, str] | None = None,
    ) -> ChatBox:
        item = ToolCall(
            id=f"tool-{len(self.boxes)}", tool=tool, arguments=arguments, status=Status.RUNNING, server=server
        )
        call = self.call(item, tool)
        for note in notes:
            self.progress(call, note)
        if metadata is not None:
            meta = ResultMeta(
                tool_call_id=call.id,
                success=True,
                metadata_type=metadata[0],
                metadata_contents=metadata[1],
            )
            self.add(draft(TOOL_RETURN, result, meta))
        elif status is not Status.RUNNING:
            self.returned(
                call,
                item.model_copy(update={"status": status, "duration_ms": 340}),
                result,
                status is Status.DONE,
            )
        return call


MESSAGE = """\
# Two things were wrong

The cache kept **stale tides** when the *clock moved back*, and `Harbour.open()` returned early.
See [tides.py](/home/dev/harbour/core/tides.py) and https://tides.example.org/api for the source.

1. Read the table again when the clock is behind it
   - ~~guess~~ measure the drift
   - [x] keep the old table until the new one is there
2. Say so in the log

> A tide table is valid for one day.

| Station | Height | Valid until |
|:--------|-------:|:-----------:|
| Cuxhaven | 3.42 m | 18:40 |
| Helgoland | 2.71 m | 17:55 |

```python
def stale(table: Table, now: float) -> bool:
    \"\"\"Has the clock moved out of the table?\"\"\"
    return not table.begin <= now < table.end  # both ends matter
```

---

Shall I also write a test for it?"""

DIFF = """\
@@ -12,7 +12,8 @@ class Harbour:
     def open(self, now: float) -> Table:
         table = self._table
-        if table is not None:
+        if table is not None and not stale(table, now):
             return table
+        self._log.info("tide table read again")
         self._table = read_table(self._path)
         return self._table
"""

ADDED = """\
from core.tides import stale


def test_a_clock_that_moves_back_makes_the_table_stale() -> None:
    assert stale(TABLE, TABLE.begin - 1)
"""

TEST_OUTPUT = """\
\x1b[1m======================= test session starts =======================\x1b[0m
collected 3 items

tests/test_tides.py \x1b[32m.\x1b[0m\x1b[31mF\x1b[0m\x1b[32m.\x1b[0m                                      [100%]

\x1b[31m\x1b[1m____________ test_the_table_is_read_again_after_midnight ___________\x1b[0m
>       assert harbour.open(now) is not before
\x1b[31mE       AssertionError: assert Table(day=3) is not Table(day=3)\x1b[0m
tests/test_tides.py:31: AssertionError
0%\r 50%\r100%
\x1b[31m=================== \x1b[1m1 failed\x1b[0m, \x1b[32m2 passed\x1b[0m in 0.31s ===================\x1b[0m
"""

QUESTION = json.dumps(
    {
        "questions": [
            {
                "id": "zone",
                "header": "Time zone",
                "question": "Which clock do the tables follow?",
                "options": [{"label": "UTC"}, {"label": "Local time"}],
            }
        ]
    }
)


def gallery() -> list[ChatBox]:
    """One of every kind."""
    log = Log()
    log.user(
        "The tide table is stale after midnight.\nFind out why, and fix it.", attachments=("screenshot.png",)
    )
    log.reasoning(
        "**Looking for the cache**\n\nThe table may be kept too long.", "**Reading the clock code**\n\nMore."
    )
    log.command(
        "/bin/bash -lc 'rg -n \"_table\" core/'",
        "core/tides.py:14:        self._table = None\n",
        duration_ms=80,
    )
    log.command(
        "pytest tests/test_tides.py", TEST_OUTPUT, status=Status.FAILED, exit_code=1, duration_ms=3400
    )
    log.plan("1. Compare the clock with the table\n2. Read it again when it is **stale**\n3. Add a test")
    log.patch(
        Change(path="core/tides.py", verb="update", diff=DIFF),
        Change(path="tests/test_stale.py", verb="add", diff=ADDED),
        Change(path="core/old_tides.py", verb="delete", diff="OLD = True\n"),
    )
    log.message(MESSAGE)
    log.tool(
        "lookup",
        '{"station": "Cuxhaven", "day": 3}',
        '{"height": 3.42}',
        server="tides",
        notes=("asking the station",),
    )
    log.tool("request_user_input", QUESTION, '{"answers": {"zone": {"answers": ["Local time"]}}}')
    child = SubAgentCall(
        id="agent", tool="spawnAgent", status=Status.RUNNING, receivers=("t1",), prompt="Check the logs."
    )
    log.returned(log.call(child), child.model_copy(update={"status": Status.DONE}), "Nothing unusual.")
    log.item(WebSearch(id="search", query="tide table validity"))
    log.item(Image(id="image", path="charts/cuxhaven.png"))
    log.item(Marker(id="marker", name="compaction"))
    log.item(OtherItem(id="other", name="lighthouse", raw='{"type": "lighthouse", "lamp": "on"}'))
    log.patch(
        Change(path="README.md", verb="update", diff="@@ -1 +1 @@\n-Tides\n+Tides, fixed\n"),
        status=Status.DECLINED,
    )
    log.notice("info", "Connected to the running host.")
    log.notice("warning", "This turn was interrupted.")
    log.notice("error", "The model is overloaded.", detail="serverOverloaded: try again in a minute")
    log.message("The last words were", cut=True)
    log.user("And now the test, please.", key="elsewhere", elsewhere=True)
    log.command("sleep 60", status=Status.RUNNING)
    return log.boxes


WIDE_DIFF = """\
@@ -12,9 +12,11 @@ class Harbour:
     def open(self, now: float) -> Table:
         table = self._table
-        if table is not None:
+        if table is not None and not stale(table, now):
             return table
-        self._table = read_table(self._path)
+        self._log.info("tide table read again")
+        self._table = read_table(self._path, checked=True)
         return self._table
@@ -40,4 +42,3 @@ class Harbour:
     def close(self) -> None:
-        self._lock.release()
         self._table = None
"""

SCRIPT = """\
set -euo pipefail
for station in cuxhaven helgoland; do
  curl -fsS "https://tides.example.org/$station" | jq '.height'  # metres
done
"""


def more_kinds(picture: str = "/nowhere/chart.png") -> list[ChatBox]:
    """States that the gallery has not: what is side by side, folded, half done, or with more to it."""
    log = Log()
    log.plan("1. [x] Compare the clock with the table\n2. [x] Read it again\n3. [ ] Add a test")
    log.command(f"/bin/bash -lc {shlex.quote(SCRIPT)}", "3.42\n2.71\n", duration_ms=812)
    log.command("make -j8 && echo done", "".join(f"cc -c part{n}.c\n" for n in range(60)), duration_ms=62_000)
    log.patch(Change(path="core/tides.py", verb="update", diff=WIDE_DIFF))
    log.tool(
        "notes.find",
        '{"words": "tide table"}',
        "One note: *Tides are read once a day.*",
        notes=("looking", "1 of 1"),
        metadata=("application/json", '{"took_ms": 12, "index": "notes"}'),
    )
    log.tool("forecast", '{"day": 4}', "the station does not answer", server="tides", status=Status.FAILED)
    child = SubAgentCall(
        id="agent-2", tool="spawnAgent", status=Status.RUNNING, receivers=("t2",), prompt="Read the logs."
    )
    log.call(child)
    log.item(Image(id="image-2", path=picture, made=True))
    log.item(Marker(id="entered", name="review_entered", text="changes of this branch"))
    log.item(Marker(id="left", name="review_left", text="**No blocking issue.**\n\n- one name is unclear"))
    log.item(Marker(id="hook", name="hook", text="format: 3 files\n2 files left unchanged"))
    log.reasoning("**Weighing both clocks**\n\nThe harbour's own clock is the one that counts.")
    return log.boxes
