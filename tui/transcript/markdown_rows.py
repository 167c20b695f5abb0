"""Markdown to rows: headings, nested and task lists, quotes, tables, fences, rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markdown_it.token import Token

from tui.transcript import highlight, markdown_inline, markdown_table, safe
from tui.transcript.canvas import Canvas
from tui.transcript.markdown_parse import MAX_INLINE, Block, Env, blocks
from tui.transcript.rows import MIN_WIDTH, Frame, Look, Run, Runs, width_of

PARAGRAPH_LIMIT = 256_000
"""Characters of a paragraph that are shown."""

MIN_NESTED = 20
"""Where nesting leaves less room than this, it begins at the left again."""

BULLETS = "•◦▪"
_QUOTE: Runs = (("▎ ", ("quote",)),)
QUOTE_FRAME = Frame(_QUOTE, _QUOTE, (), ("quote",), ("> ", "> "))
_FENCE_SIDE: Runs = (("▏ ", ("fence", "rule")),)
FENCE_FRAME = Frame(_FENCE_SIDE, _FENCE_SIDE, ((" ", ("fence",)),), ("fence",))


class Part(NamedTuple):
    """A top-level block: its logical lines from `first` to `last`, and those of the source from `begin` on."""

    first: int
    last: int
    begin: int
    end: int


def draw(source: str, canvas: Canvas) -> list[Part]:
    """All of a Markdown text; where its blocks are. The source has LF line ends."""
    env = Env()
    parts: list[Part] = []
    for index, block in enumerate(blocks(source, env)):
        if index:
            canvas.text([])
        first = len(canvas.lines)
        draw_block(block, source, env, canvas)
        parts.append(Part(first, len(canvas.lines) - 1, block.begin, block.end))
    return parts


def draw_block(block: Block, source: str, env: Env, canvas: Canvas) -> None:
    """One top-level block of the source that it was parsed from."""
    if block.too_deep:
        for line in source.split("\n")[block.begin : block.end]:
            canvas.text([(line, ())])
        return
    _Walk(env, canvas).draw(block.tokens)


def draw_code(lines: Sequence[Sequence[Run]], canvas: Canvas) -> None:
    """Lines of code inside a fence; without its frame where that leaves no room for them."""
    room = canvas.width - width_of(FENCE_FRAME.first) - width_of(FENCE_FRAME.right)
    inner = canvas.framed(FENCE_FRAME) if room >= MIN_WIDTH else canvas
    for runs in lines:
        inner.text(runs, hard=True)


@dataclass(slots=True)
class _List:
    """An open list: the number of the next item (None: bullets), and whether blank lines part its items."""

    number: int | None
    depth: int
    loose: bool
    items: int = 0


class _Walk:
    """Draws the tokens of one block. Every list item and quote is a canvas inside the one around it."""

    def __init__(self, env: Env, canvas: Canvas) -> None:
        self._env = env
        self._canvases = [canvas]
        self._tight = [False]
        self._lists: list[_List] = []
        self._look: Look = ()
        self._begun = [False]

    @property
    def _canvas(self) -> Canvas:
        return self._canvases[-1]

    def draw(self, tokens: Sequence[Token]) -> None:
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == "table_open":
                end = _closing(tokens, index)
                self._part()
                markdown_table.draw(tokens[index : end + 1], self._env, self._canvas)
                index = end
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                self._open_list(token, _is_loose(tokens, index))
            else:
                self._token(token)
            index += 1

    def _token(self, token: Token) -> None:
        match token.type:
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._open_item(token)
            case "blockquote_open":
                self._part()
                self._enter(QUOTE_FRAME, tight=False)
            case "list_item_close" | "blockquote_close":
                self._leave()
            case "heading_open":
                self._look = ("heading", "heading-1") if token.tag == "h1" else ("heading",)
            case "heading_close":
                self._look = ()
            case "inline":
                self._part()
                self._paragraph(token.content)
            case "fence" | "code_block":
                self._part()
                code = token.content.removesuffix("\n")
                draw_code(highlight.code_lines(code, language_of(token.info)), self._canvas)
            case "hr":
                self._part()
                self._canvas.rule([("─" * self._canvas.width, ("rule",))])
            case _:
                return

    def _part(self) -> None:
        """An empty row between the blocks of one container, unless that is an item of a tight list."""
        if self._begun[-1] and not self._tight[-1]:
            self._canvas.text([])
        self._begun[-1] = True

    def _enter(self, frame: Frame, *, tight: bool) -> None:
        outer = self._canvas if self._canvas.width > MIN_NESTED else self._canvases[0]
        self._canvases.append(outer.framed(frame))
        self._tight.append(tight)
        self._begun.append(False)

    def _leave(self) -> None:
        if not self._begun[-1]:
            self._canvas.text([])
        self._canvases.pop()
        self._tight.pop()
        self._begun.pop()

    def _open_list(self, token: Token, loose: bool) -> None:
        self._part()
        number = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else None
        depth = sum(1 for outer in self._lists if outer.number is None)
        self._lists.append(_List(number, depth, loose))

    def _open_item(self, token: Token) -> None:
        opened = self._lists[-1]
        if opened.items and opened.loose:
            self._canvas.text([])
        opened.items += 1
        if opened.number is None:
            marker, copied = BULLETS[min(opened.depth, len(BULLETS) - 1)] + " ", "- "
        else:
            marker = copied = f"{opened.number}. "
            opened.number += 1
        space = " " * len(marker)
        frame = Frame(((marker, ("accent",)),), ((space, ()),), copied=(copied, space))
        self._enter(frame, tight=not opened.loose)

    def _paragraph(self, text: str) -> None:
        task = _task(text) if self._lists else None
        if task is not None:
            text = text[4:]
        lines = markdown_inline.runs(text, self._env, self._canvas)
        for index, runs in enumerate(lines):
            if task is not None and index == 0:
                runs = [task, *runs]
            self._canvas.text(
                [(part, (*self._look, *look)) for part, look in runs] if self._look else runs,
                hang=2 if task is not None else 0,
                limit=MAX_INLINE if self._env.hurried else PARAGRAPH_LIMIT,
            )


def _task(text: str) -> Run | None:
    """The check box that a list item's text begins with."""
    match text[:4].lower():
        case "[ ] ":
            return "☐ ", ("muted",)
        case "[x] ":
            return "☑ ", ("success",)
        case _:
            return None


def _closing(tokens: Sequence[Token], index: int) -> int:
    """Where what `tokens[index]` opens is closed."""
    level = tokens[index].level
    while tokens[index].nesting >= 0 or tokens[index].level != level:
        index += 1
    return index


def _is_loose(tokens: Sequence[Token], index: int) -> bool:
    """Do blank lines part the items of this list? Tight lists hide their paragraphs."""
    level = tokens[index].level
    for token in tokens[index + 1 :]:
        if token.level == level:
            return False
        if token.level == level + 2 and token.type == "paragraph_open":
            return not token.hidden
    return False


def language_of(info: str) -> str:
    """The language that a fence names, as in "```python title=x"."""
    return info.strip().split(" ")[0].lower()


def clean(source: str) -> str:
    """A source as the parser wants it: LF line ends, no NUL."""
    return safe.unix_lines(source).replace("\0", "␀")
