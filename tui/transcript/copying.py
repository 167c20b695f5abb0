"""What an entry is on the clipboard: the text as it was written, without what only the screen adds."""

from __future__ import annotations

from core.agent.items import Image, Marker, OtherItem, WebSearch
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


def text_of(entry: Entry) -> str:
    """An entry's text; a message's is its Markdown, a command's its line and its output."""
    return safe.copyable(_text(entry)).strip("\n")


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
