"""Slash commands about conversations as a whole: which there are, and what becomes of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InvalidRequest
from core.paths import expanded
from tui.screens.confirm import Question
from tui.screens.opening import SCREENS
from tui.screens.pick import Pick, PickScreen
from tui.transcript import safe

if TYPE_CHECKING:
    from core.conversation.info import ConversationInfo
    from tui.desk import Desk
    from tui.screens.console import ConsoleScreen

BROWSER = "sessions"
NAMELESS = "New conversation"


async def resume(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    if argument:
        await _go_to_one(console, desk.infos, argument)
    elif BROWSER in SCREENS:
        console.action_over(BROWSER)
    else:
        await _go_to_one(console, desk.infos, "")


async def fork(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    await console.operating.fork(desk, _box(argument))


async def revert(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    await console.operating.revert(desk, _box(argument))


async def rename(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    from tui.screens.line import LineScreen

    title: str | None = argument
    if not title:
        now = next((info.title for info in desk.infos if info.id == desk.current.id), "")
        title = await console.app.push_screen_wait(LineScreen("The title of this conversation", now))
    if title is not None:
        await desk.engine.operations.rename(await desk.begin_now(desk.current), title)
        console.notices.tell(f"It is called “{safe.line(' '.join(title.split()), 200)}” now.")


async def archive(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    await desk.engine.operations.archive(_here(desk, "put away"))
    console.notices.tell("Put away. /unarchive brings it back.")


async def unarchive(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    archived = await desk.engine.operations.archived()
    if not archived:
        console.notices.tell("Nothing is put away.")
        return
    chosen = await _chosen(console, "Bring back a conversation", archived, argument)
    if chosen is not None:
        await desk.engine.operations.unarchive(chosen)
        console.notices.tell("Brought back.")
        console.go_to(chosen)


async def delete(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    conversation_id = _here(desk, "deleted")
    title = next((info.title for info in desk.infos if info.id == conversation_id), "")
    if await console.operating.agreed(words_of_delete(title)):
        await desk.engine.operations.delete(conversation_id)
        console.notices.tell("Deleted.")


def words_of_delete(title: str) -> Question:
    """What is asked before a conversation is deleted."""
    lines = (
        f"“{safe.line(title or NAMELESS, 200)}”",
        "Codex deletes its session, for every client. Here it is never shown again; Quarterdeck's own records of what "
        "was said and decided stay in its database. Files that Codex changed stay as they are.",
        "To only have it out of the way, archive it: /archive.",
    )
    return Question("Delete this conversation?", lines, no="No: keep it", yes="Yes: delete it")


async def export(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    from core.export.parts import Format
    from tui.screens.line import LineScreen

    conversation_id = _here(desk, "exported")
    name: str | None = argument
    if not name:
        proposed = desk.current.path / await desk.engine.export.name(conversation_id, Format.HTML)
        hint = "A file that ends in .md, .html or .jsonl"
        name = await console.app.push_screen_wait(
            LineScreen("Write this conversation to", str(proposed), hint)
        )
    if name is None or not name.strip():
        return
    path = file_in(desk.current.path, name)
    formats = {format_.value: format_ for format_ in Format}
    found = formats.get(path.suffix.lstrip(".").lower())
    if found is None:
        raise InvalidRequest(f"{path.name} says no format", todo="Let it end in .md, .html or .jsonl.")
    done = await desk.engine.export.to_file(conversation_id, path, found)
    console.notices.tell(" ".join((f"Wrote {done.path}, secrets covered.", *done.missing)))


def file_in(folder: Path, name: str) -> Path:
    """A file that a person named; a relative one is in the folder."""
    return folder / expanded(Path(name.strip()))


async def copy(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    answer = safe.copyable(await desk.engine.operations.last_answer(_here(desk, "copied")))
    console.app.copy_to_clipboard(answer)
    console.notices.tell(f"Copied the last answer: {len(answer)} characters of Markdown")


async def _go_to_one(console: ConsoleScreen, infos: Sequence[ConversationInfo], words: str) -> None:
    chosen = await _chosen(console, "Go to a conversation", infos, words)
    if chosen is not None:
        console.go_to(chosen)


async def _chosen(
    console: ConsoleScreen, title: str, infos: Sequence[ConversationInfo], words: str
) -> str | None:
    """The one that all the words are in the title of, else what the person picks."""
    wanted = words.casefold().split()
    found = [info for info in infos if all(word in info.title.casefold() for word in wanted)]
    if not found:
        raise InvalidRequest(
            "No conversation has that in its title",
            todo=f"{console.key_name('sessions')} looks into what was said, too.",
        )
    if len(found) == 1 and wanted:
        return found[0].id
    picks = [Pick(info.id, info.title or NAMELESS, info.path) for info in found]
    return await console.app.push_screen_wait(PickScreen(title, picks))


def _here(desk: Desk, what: str) -> str:
    if desk.current.id is None:
        raise InvalidRequest(f"There is nothing to be {what} yet", todo="Go to a conversation first.")
    return desk.current.id


def _box(argument: str) -> int | None:
    """The number of an entry; None for none given."""
    if not argument:
        return None
    if not argument.isdecimal():
        raise InvalidRequest(
            f"{argument} is no number of an entry",
            todo="Leave it out, or choose the entry in the conversation (Shift+Tab).",
        )
    return int(argument)
