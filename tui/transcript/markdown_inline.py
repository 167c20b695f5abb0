"""The inline part of Markdown: emphasis, code, links, bare URLs and images, as runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it.token import Token

from tui.transcript.canvas import Canvas
from tui.transcript.markdown_parse import Env, inline
from tui.transcript.rows import Look, Run

_URL = re.compile(r"https?://[^\s<>\"'`⟨⟩]+")
_URL_ENDS = ".,;:!?)]}*_"
_SCHEMES = ("http://", "https://", "mailto:", "file://")

_LOOKS = {"strong": "strong", "em": "emphasis", "s": "strike"}


def runs(text: str, env: Env, canvas: Canvas) -> list[list[Run]]:
    """A paragraph's lines, broken where its author broke them; its links are registered with the canvas."""
    return _Inline(canvas).draw(inline(text, env))


class _Inline:
    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._lines: list[list[Run]] = [[]]
        self._looks: list[str] = []
        self._target: str | None = None
        self._link: Look = ()
        self._link_text: list[str] = []

    def draw(self, tokens: Sequence[Token]) -> list[list[Run]]:
        for token in tokens:
            self._token(token)
        return self._lines

    def _token(self, token: Token) -> None:
        kind = token.type
        if kind == "text":
            self._text(token.content)
        elif kind == "code_inline":
            self._put(token.content, ("code",))
        elif kind in ("softbreak", "hardbreak"):
            self._lines.append([])
        elif kind == "link_open":
            self._open_link(str(token.attrs.get("href", "")))
        elif kind == "link_close":
            self._close_link()
        elif kind == "image":
            self._image(token)
        elif kind.endswith("_open"):
            self._looks.append(_LOOKS.get(kind.removesuffix("_open"), "emphasis"))
        elif kind.endswith("_close"):
            if self._looks:
                self._looks.pop()
        else:
            self._text(token.content)

    def _put(self, text: str, look: Look = ()) -> None:
        if text:
            if self._target is not None:
                self._link_text.append(text)
            self._lines[-1].append((text, (*self._looks, *self._link, *look)))

    def _text(self, text: str) -> None:
        if self._target is not None or "http" not in text:
            self._put(text)
            return
        position = 0
        for match in _URL.finditer(text):
            url = match.group().rstrip(_URL_ENDS)
            self._put(text[position : match.start()])
            self._put(url, ("link", self._canvas.link(url)))
            position = match.start() + len(url)
        self._put(text[position:])

    def _open_link(self, target: str) -> None:
        self._target = target
        self._link_text = []
        openable = target.lower().startswith(_SCHEMES)
        self._link = ("link", self._canvas.link(target)) if openable else ("link",)

    def _close_link(self) -> None:
        """Where a link leads is shown, unless its text says so already."""
        target, text = self._target or "", "".join(self._link_text)
        link, self._link, self._target = self._link, (), None
        if target and not _says(text, target):
            self._lines[-1].append((f" ({target})", ("muted", *link[1:])))

    def _image(self, token: Token) -> None:
        target = str(token.attrs.get("src", ""))
        self._put(f"▣ {token.content or 'image'}", ("emphasis",))
        if target:
            self._put(f" ({target})", ("muted",))


def _says(text: str, target: str) -> bool:
    """Does a link's text name its target truly: the same, but for a scheme, a folder or a slash?"""
    text, target = text.strip().rstrip("/"), target.rstrip("/")
    for scheme in _SCHEMES:
        target = target.removeprefix(scheme)
        text = text.removeprefix(scheme)
    if text == target:
        return True
    is_path = "/" in target and not target.startswith("//") and ":" not in target.split("/")[0]
    return is_path and target.startswith(("/", "./", "../")) and target.endswith("/" + text) and bool(text)
