"""A conversation as Markdown. Pure."""

from __future__ import annotations

import re
from typing import Final

from core.export.parts import Begin, Decided, Head, Part, Recorded
from core.export.plain import line, moment, plain
from core.export.shown import Code, Showing, Shown, Words, decision
from core.thread.records import BoxRecord

_TICKS = re.compile(r"^[ ]{0,3}(`{3,})", re.MULTILINE)
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")
QUOTED: Final = frozenset({"thinking", "notice"})
"""The kinds that stand as quotations: beside what was said."""


class Markdown:
    """Writes the format. Words that people and Codex wrote stay the Markdown that they are."""

    def __init__(self) -> None:
        self._head = Head(0, "", masked=False)
        self._showing = Showing()

    def begin(self, head: Head) -> str:
        self._head = head
        return ""

    def part(self, part: Part) -> str:
        match part:
            case Begin():
                self._showing = Showing()
                return self._title(part)
            case Recorded(at_ms, BoxRecord(box)):
                return _entry(self._showing.box(box), at_ms)
            case Recorded():
                return ""
            case Decided(entry):
                return _entry(decision(entry), entry.at_ms)

    def end(self) -> str:
        return ""

    def _title(self, begin: Begin) -> str:
        below = begin.parent_id is not None
        title = escaped(line(begin.title)) or "A conversation without a title"
        facts = [
            ("Folder", f"`{line(begin.folder).replace('`', ' ')}`"),
            ("Begun", moment(begin.created_at_ms)),
            ("Changed", moment(begin.updated_at_ms)),
            ("Codex thread", escaped(line(begin.thread_id or ""))),
            ("Exported", f"{moment(self._head.at_ms)}, Quarterdeck {self._head.by}"),
            ("Secrets", "covered" if self._head.masked else "as they were"),
            ("Missing", escaped(line(begin.missing))),
        ]
        rows = "".join(f"- {name}: {value}\n" for name, value in facts if value)
        return f"{chr(10) + '---' + chr(10) * 2 if below else ''}# {'Sub-agent: ' if below else ''}{title}\n\n{rows}"


def escaped(text: str) -> str:
    """Text that is no Markdown, for Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def _entry(shown: Shown, at_ms: int) -> str:
    when = f" · {moment(at_ms)}" if at_ms else ""
    level = "##" if shown.kind in ("user", "codex", "plan") else "###"
    body = "\n\n".join(text for text in map(_block, shown.blocks) if text)
    if shown.kind in QUOTED:
        body = "\n".join(f"> {one}".rstrip() for one in body.split("\n"))
    return f"\n{level} {escaped(line(shown.heading))}{when}\n\n{body}\n"


def _block(block: Words | Code) -> str:
    if isinstance(block, Words):
        return plain(block.text).strip("\n")
    fence = "`" * max(3, 1 + max((len(ticks) for ticks in _TICKS.findall(block.text)), default=0))
    text = plain(block.text)
    return (
        f"{fence}{block.language}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{fence}" if text else ""
    )
