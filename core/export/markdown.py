"""A conversation as Markdown. Pure."""

from __future__ import annotations

import re
from typing import Final

from core.export.entries import EntryWriter
from core.export.parts import Begin
from core.export.plain import line, moment, plain
from core.export.shown import Code, Shown, Words

_TICKS = re.compile(r"^[ ]{0,3}(`{3,})", re.MULTILINE)
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")
QUOTED: Final = frozenset({"thinking", "notice"})
"""The kinds that stand as quotations: beside what was said."""


class Markdown(EntryWriter):
    """Writes the format. Words that people and Codex wrote stay the Markdown that they are."""

    def title(self, begin: Begin) -> str:
        below = begin.parent_id is not None
        title = escaped(line(begin.title)) or "A conversation without a title"
        facts = [
            ("Folder", f"`{line(begin.folder).replace('`', ' ')}`"),
            ("Begun", moment(begin.created_at_ms)),
            ("Changed", moment(begin.updated_at_ms)),
            ("Codex thread", escaped(line(begin.thread_id or ""))),
            ("Exported", f"{moment(self.head.at_ms)}, Quarterdeck {self.head.by}"),
            ("Secrets", "covered" if self.head.masked else "as they were"),
            ("Missing", escaped(line(begin.missing))),
        ]
        rows = "".join(f"- {name}: {value}\n" for name, value in facts if value)
        return f"{chr(10) + '---' + chr(10) * 2 if below else ''}# {'Sub-agent: ' if below else ''}{title}\n\n{rows}"

    def entry(self, shown: Shown, at_ms: int) -> str:
        when = f" · {moment(at_ms)}" if at_ms else ""
        level = "##" if shown.kind in ("user", "codex", "plan") else "###"
        body = "\n\n".join(text for text in map(_block, shown.blocks) if text)
        if shown.kind in QUOTED:
            body = "\n".join(f"> {one}".rstrip() for one in body.split("\n"))
        return f"\n{level} {escaped(line(shown.heading))}{when}\n\n{body}\n"


def escaped(text: str) -> str:
    """Text that is no Markdown, for Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def _block(block: Words | Code) -> str:
    if isinstance(block, Words):
        return plain(block.text).strip("\n")
    fence = "`" * max(3, 1 + max((len(ticks) for ticks in _TICKS.findall(block.text)), default=0))
    text = plain(block.text)
    return (
        f"{fence}{block.language}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{fence}" if text else ""
    )
