"""A conversation as one HTML file that needs nothing else. Pure.

Everything is escaped: what others wrote never becomes markup of its own, and the policy of the page would
not run it if it did. Markdown becomes what it says, but for pictures and for links to anything but web pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.export import page
from core.export.entries import EntryWriter
from core.export.parts import Begin, Head
from core.export.plain import line, moment, plain
from core.export.shown import Code, Shown, Words

FOLDED_LINES: Final = 40
"""Longer code is folded until it is wanted, searched for or printed."""

MAX_WORDS: Final = 60_000
MAX_BRACKETS: Final = 200
"""Words beyond these are shown as they were written: the parser's time grows with their square."""

_WEB = re.compile(r"https?://[^\s]+", re.IGNORECASE)
_BRACKETS = re.compile(r"[\[\]]")


def _link(_renderer: object, tokens: Sequence[Token], index: int, _options: object, _env: object) -> str:
    href = str(tokens[index].attrs.get("href", ""))
    return f'<a href="{escape(href)}" rel="noopener noreferrer nofollow">'


def _cell(_renderer: object, tokens: Sequence[Token], index: int, _options: object, _env: object) -> str:
    """The policy of the page allows no style of an element's own: how a column stands is a class."""
    token = tokens[index]
    _, _, side = str(token.attrs.get("style", "")).partition("text-align:")
    return f'<{token.tag} class="{side}">' if side in ("right", "center") else f"<{token.tag}>"


def _is_web(url: str) -> bool:
    return _WEB.fullmatch(url) is not None


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 40})
    parser.enable(["table", "strikethrough"]).disable(["image", "html_block", "html_inline"])
    anything: Any = parser
    anything.validateLink = _is_web
    parser.add_render_rule("link_open", _link)
    parser.add_render_rule("table_open", lambda *_: '<div class="wide"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    for cell in ("th_open", "td_open"):
        parser.add_render_rule(cell, _cell)
    return parser


_MARKDOWN = _parser()


class Html(EntryWriter):
    """Writes the format."""

    def __init__(self) -> None:
        super().__init__()
        self._open = False

    def begin(self, head: Head) -> str:
        return super().begin(head) + page.BEGIN

    def end(self) -> str:
        return ("</section>\n" if self._open else "") + page.END

    def title(self, begin: Begin) -> str:
        title = escape(line(begin.title)) or "A conversation without a title"
        before = "</section>\n" if self._open else f"<title>{title}</title>\n{page.MIDDLE}"
        self._open = True
        facts = (
            ("Folder", line(begin.folder)),
            ("Begun", moment(begin.created_at_ms)),
            ("Changed", moment(begin.updated_at_ms)),
            ("Codex thread", line(begin.thread_id or "")),
            ("Exported", f"{moment(self.head.at_ms)}, Quarterdeck {line(self.head.by)}"),
            ("Secrets", "covered" if self.head.masked else "as they were"),
            ("Missing", line(begin.missing)),
        )
        rows = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts if value)
        below = "Sub-agent: " if begin.parent_id is not None else ""
        return f"{before}<section>\n<h1>{below}{title}</h1>\n<dl>{rows}</dl>\n"

    def entry(self, shown: Shown, at_ms: int) -> str:
        when = f"<time>{moment(at_ms)}</time>" if at_ms else ""
        body = "\n".join(map(_block, shown.blocks))
        heading = escape(line(shown.heading))
        return (
            f'<article class="{shown.kind}"><header><span>{heading}</span>{when}</header>\n{body}</article>\n'
        )


def _block(block: Words | Code) -> str:
    text = plain(block.text)
    if isinstance(block, Words):
        return _words(text)
    lines = text.count("\n") + 1
    code = f"<pre><code>{_diff(text) if block.language == 'diff' else escape(text)}</code></pre>"
    if lines <= FOLDED_LINES:
        return code
    return f"<details><summary>{lines:,} lines</summary>{code}</details>"


def _words(text: str) -> str:
    if len(text) > MAX_WORDS or len(_BRACKETS.findall(text)) > MAX_BRACKETS:
        return f'<p class="plain">{escape(text)}</p>'
    return str(_MARKDOWN.render(text))


def _diff(text: str) -> str:
    return "\n".join(_diff_line(one) for one in text.split("\n"))


def _diff_line(text: str) -> str:
    if text.startswith("+"):
        return f"<ins>{escape(text)}</ins>"
    return f"<del>{escape(text)}</del>" if text.startswith("-") else escape(text)
