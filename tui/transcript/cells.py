"""How wide text is on the screen, and where a line breaks. For text that `safe` has been over."""

from __future__ import annotations

from rich.cells import cell_len, get_character_cell_size


def width_of(text: str) -> int:
    """Cells that `text` takes."""
    return len(text) if text.isascii() else cell_len(text)


def cut(text: str, width: int) -> str:
    """`text`, or its beginning and `…`, in at most `width` cells."""
    if width_of(text) <= width:
        return text
    if width <= 0:
        return ""
    return text[: _fitting(text, 0, width - 1)] + "…"


def tail(text: str, width: int) -> str:
    """`text`, or `…` and its end, in at most `width` cells: of a path the end says most."""
    if width_of(text) <= width:
        return text
    if width <= 1:
        return ""
    first = len(text)
    room = width - 1
    while first and (room := room - width_of(text[first - 1])) >= 0:
        first -= 1
    return "…" + text[first:]


def starts(text: str, width: int) -> list[int]:
    """Where the rows of `text` begin when it is wrapped between words to `width` cells; first is 0.

    A word longer than a row is broken. The spaces at a break belong to the row that they end.
    """
    if text.isascii():
        return _ascii_starts(text, width)
    return _wide_starts(text, width)


def hard_starts(text: str, width: int) -> list[int]:
    """Where the rows begin when `text` is broken at exactly `width` cells, as a terminal does."""
    if text.isascii():
        return list(range(0, len(text), width)) or [0]
    found = [0]
    while (following := _fitting(text, found[-1], width)) < len(text):
        found.append(max(following, found[-1] + 1))
    return found


def _fitting(text: str, start: int, width: int) -> int:
    """The end of the longest part from `start` that fits; characters of no width stay with their base."""
    if text.isascii():
        return min(len(text), start + width)
    used = 0
    for index in range(start, len(text)):
        used += get_character_cell_size(text[index])
        if used > width:
            return index
    return len(text)


def _ascii_starts(text: str, width: int) -> list[int]:
    found = [0]
    position = 0
    length = len(text)
    while length - position > width:
        space = text.rfind(" ", position, position + width + 1)
        position = space + 1 if space > position else position + width
        while position < length and text[position] == " ":
            position += 1
        if position >= length:
            break
        found.append(position)
    return found


def _wide_starts(text: str, width: int) -> list[int]:
    found = [0]
    used = 0
    opportunity = 0
    used_at_opportunity = 0
    for index, character in enumerate(text):
        size = get_character_cell_size(character)
        if character == " ":
            used += 1
            opportunity, used_at_opportunity = index + 1, used
            continue
        if size == 2 and index > found[-1]:
            opportunity, used_at_opportunity = index, used
        if used + size > width and index > found[-1]:
            if opportunity <= found[-1]:
                opportunity, used_at_opportunity = index, used
            found.append(opportunity)
            used -= used_at_opportunity
        used += size
        if size == 2:
            opportunity, used_at_opportunity = index + 1, used
    return found
