"""What an entry is outside the screen: as text, as Markdown, and whole for a pager or an editor."""

from __future__ import annotations

import re

from core.agent.items import FileChange, Image, Marker, OtherItem, ToolCall, WebSearch
from core.thread.boxes import TOOL_RETURN
from tui.transcript import ansi, safe
from tui.transcript.entries import Entry, Output
from tui.transcript.panes.command import script_of
from tui.transcript.reading import (
    Called,
    Changed,
    Delegated,
    Noted,
    Planned,
    Ran,
    Said,
    Seen,
    Thought,
    Unread,
    Written,
    read,
)

_TICKS = re.compile("`{3,}")


def text_of(entry: Entry) -> str:
    """An entry's text; a message's is its Markdown, a command's its line and its output."""
    return safe.copyable(_text(entry)).strip("\n")


def whole_of(entry: Entry) -> str:
    """The text with all that a command printed, however much that is."""
    content = read(entry)
    if not isinstance(content, Ran) or not content.output.skipped:
        return text_of(entry)
    returned = next((box.contents for box in entry.followers if box.box_type == TOOL_RETURN), "")
    printed = returned or content.run.output
    output = ansi.plain(printed) if printed else _output(content.output)
    return safe.copyable(f"$ {script_of(content.run.command)}\n{output}").strip("\n")


def markdown_of(entry: Entry) -> str:
    """As Markdown, that reads elsewhere as it does here: what is no prose is fenced."""
    match read(entry):
        case Ran() as ran:
            text = _fenced("console", f"$ {script_of(ran.run.command)}\n{_output(ran.output)}")
        case Changed() as changed:
            text = _patch(changed.change)
        case Called() as called:
            text = _call(called.call, called.result)
        case Unread() as unread:
            text = _fenced("json", unread.raw or unread.text)
        case _:
            text = _text(entry)
    return safe.copyable(text).strip("\n")


def _patch(change: FileChange) -> str:
    return "\n\n".join(
        f"`{file.path}`\n\n{_fenced('diff' if file.verb == 'update' else '', file.diff)}"
        for file in change.changes
    )


def _call(call: ToolCall, result: str) -> str:
    name = f"{call.server} › {call.tool}" if call.server else call.tool
    parts = [f"**{name}**", _fenced("json", call.arguments), _fenced("", result) if result else ""]
    return "\n\n".join(part for part in parts if part)


def _fenced(language: str, text: str) -> str:
    """A fence that nothing in the text closes."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    marks = "`" * (longest + 1)
    end = "" if text.endswith("\n") else "\n"
    return f"{marks}{language}\n{text}{end}{marks}"


def _text(entry: Entry) -> str:
    match read(entry):
        case Said() | Written() | Planned() as content:
            return content.text
        case Thought() as thought:
            return "\n\n".join((*thought.summary, *thought.raw))
        case Ran() as ran:
            return f"$ {script_of(ran.run.command)}\n{_output(ran.output)}"
        case Changed() as changed:
            return "\n".join(f"{file.verb} {file.path}\n{file.diff}" for file in changed.change.changes)
        case Called() as called:
            return f"{called.call.tool} {called.call.arguments}\n{called.result}"
        case Delegated() as delegated:
            return f"{delegated.call.prompt or ''}\n{delegated.result}"
        case Noted() as noted:
            return f"{noted.text}\n{noted.detail}"
        case Unread() as unread:
            return f"{unread.text}\n{unread.raw}"
        case Seen() as seen:
            return _item_text(seen)


def _output(output: Output) -> str:
    middle = f"\n… {output.skipped:,} characters …\n" if output.skipped else ""
    return ansi.plain(output.head + middle + output.tail)


def _item_text(seen: Seen) -> str:
    match seen.item:
        case WebSearch() as item:
            return item.query
        case Image() as item:
            return item.path
        case Marker() as item:
            return item.text or item.name
        case OtherItem() as item:
            return item.raw
        case item:
            return item.model_dump_json()
