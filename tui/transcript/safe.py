"""Making hostile text harmless to show: nothing it contains can steer the terminal, hide or flip text.

Everything that Codex, a tool, a file or another person wrote passes through here on its way to the
screen. Depends on nothing, so that any widget can use it.

- Controls (C0, C1, DEL) become symbols: ESC is `␛`, a C1 control `⟨9B⟩`.
- Bidi controls and invisible characters become names: `⟨RLO⟩`, `⟨ZWSP×500⟩`, `⟨TAG×12⟩`.
- More combining marks on a letter than any script needs become a count.
- Half a surrogate pair becomes U+FFFD, so that the terminal's encoder cannot fail on it.
- Too much text is cut, and says how much is missing.

The result measures the same in every terminal: joiners and variation selectors, on which terminals
disagree, are dropped where they only decorate an emoji.

What a person decides on is shown by `exact`, which drops nothing and lets nothing pass for something else: there a
no-break space is `⟨NBSP⟩`, a variation selector `⟨VS⟩`, a tab `⇥`.
"""

from __future__ import annotations

import re

LINE_LIMIT = 2_000
"""Characters of one line that are shown."""

MARKS_KEPT = 4
"""Combining marks shown on one letter; Vietnamese, Thai and Hebrew with points need at most three."""

TAB = 4

NAMES = {
    0x00A0: "NBSP",
    0x00AD: "SHY",
    0x034F: "CGJ",
    0x061C: "ALM",
    0x115F: "FILLER",
    0x1160: "FILLER",
    0x180E: "MVS",
    0x200B: "ZWSP",
    0x200C: "ZWNJ",
    0x200D: "ZWJ",
    0x200E: "LRM",
    0x200F: "RLM",
    0x202F: "NNBSP",
    0x2028: "LS",
    0x2029: "PS",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2060: "WJ",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0x2800: "BLANK",
    0x3000: "WIDE SPACE",
    0x3164: "FILLER",
    0xFEFF: "BOM",
    0xFFA0: "FILLER",
}
"""What is shown in place of characters that cannot be seen, or look like a space."""

_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f"
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u06df-\u06e8\u06ea-\u06ed\u0730-\u074a\u0816-\u082d\u08d3-\u0903\u0941-\u094d\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u0eb1-\u0ecd\u0f71-\u0f84\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099"
    "\u309a\ua66f-\ua67d\ufe20-\ufe2f"
)
_INVISIBLE = (
    "\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SUSPECT = re.compile(
    f"(?P<control>[\x00-\x1f\x7f-\x9f])|(?P<half>[\ud800-\udfff])|(?P<invisible>[{_INVISIBLE}]+)"
    f"|(?P<space>[{_SPACES}])|(?P<marks>[{_MARKS}]{{{MARKS_KEPT + 1},}})"
)
_ALSO_UNSEEN = (
    "\u034f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3000"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001d159"
)
_UNLIKE = re.compile(
    f"(?P<control>[\x00-\x1f\x7f-\x9f])|(?P<half>[\ud800-\udfff])"
    f"|(?P<invisible>[{_INVISIBLE}{_SPACES}{_ALSO_UNSEEN}]+)|(?P<marks>[{_MARKS}]{{{MARKS_KEPT + 1},}})"
)
"""All that on a screen is not what it is."""
_NAMED_EACH = 4
"""So many different characters that cannot be seen are named one by one."""
_UNSEEN = re.compile(f"[\x00-\x1f\x7f-\x9f\ud800-\udfff{_INVISIBLE}]")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def line(text: str, limit: int = LINE_LIMIT) -> str:
    """`text` as one harmless line of about `limit` characters at most; a newline shows as `␊`."""
    if len(text) <= limit:
        return _shown(text)
    return f"{_shown(text[:limit])}… ⟨{len(text) - limit:,} more characters⟩"


def exact(text: str, limit: int = LINE_LIMIT) -> str:
    """As `line`, for what is decided on: every character that would be dropped or look like another is named."""
    if len(text) > limit:
        return f"{exact(text[:limit], limit)}… ⟨{len(text) - limit:,} more characters⟩"
    if text.isascii() and text.isprintable():
        return text
    return _UNLIKE.sub(_name_of, _tabs_shown(text) if "\t" in text else text)


def deceives(line: str) -> bool:
    """Is there something in it that hides, reorders or passes for something else?

    A tab is no trick, nor a CR at the end, nor what belongs to an emoji or a letter that is not ASCII.
    """
    if line.isascii() and line.isprintable():
        return False
    text = line.removesuffix("\r").replace("\t", " ")
    return any(not _belongs(match) for match in _UNLIKE.finditer(text))


def block(text: str, limit: int = LINE_LIMIT) -> str:
    """`text` as harmless lines: newlines stay (CRLF and CR become one), each line is cut at `limit`."""
    if text.isascii() and text.isprintable():
        return line(text, limit)
    return "\n".join(line(part, limit) for part in unix_lines(text).split("\n"))


def unix_lines(text: str) -> str:
    """CRLF and lone CR as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def copyable(text: str) -> str:
    """`text` for the clipboard: as it was written, but no control that a paste could carry out."""
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", unix_lines(text)))


def in_place(text: str) -> str:
    """`text` for a field in which it is edited: each character that cannot be shown is one sign, so that all keep their
    places.
    """
    return text if text.isascii() and text.isprintable() else _UNSEEN.sub(_sign, text)


def _sign(match: re.Match[str]) -> str:
    code = ord(match.group())
    return chr(0x2400 + code) if code < 0x20 else "▯"


def _shown(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    if "\t" in text:
        text = text.expandtabs(TAB)
    return _SUSPECT.sub(_replacement, text)


def _tabs_shown(text: str) -> str:
    first, *others = text.split("\t")
    parts, column = [first], len(first)
    for part in others:
        parts.append("⇥".ljust(TAB - column % TAB) + part)
        column = len(part)
    return "".join(parts)


def _name_of(match: re.Match[str]) -> str:
    found = match.group()
    if match.lastgroup == "half":
        return f"⟨{ord(found):04X}⟩"
    if match.lastgroup != "invisible":
        return _replacement(match)
    names = dict.fromkeys(map(_name, map(ord, found)))
    if len(found) <= _NAMED_EACH:
        return "".join(f"⟨{_name(ord(character))}⟩" for character in found)
    return f"⟨{', '.join(names) if len(names) <= _NAMED_EACH else 'invisible'}×{len(found)}⟩"


def _belongs(match: re.Match[str]) -> bool:
    """A joiner or a variation selector, or both, after an emoji or a letter that is not ASCII."""
    before = match.string[match.start() - 1 : match.start()]
    joins = match.group() in ("\u200c", "\u200d", "\ufe0e", "\ufe0f", "\ufe0f\u200d")
    return joins and bool(before) and not before.isascii() and before.isprintable()


def _replacement(match: re.Match[str]) -> str:
    found = match.group()
    match match.lastgroup:
        case "control":
            return _symbol(ord(found))
        case "half":
            return "\ufffd"
        case "space":
            return " "
        case "marks":
            return f"{found[:MARKS_KEPT]}⟨+{len(found) - MARKS_KEPT} marks⟩"
        case _:
            return _invisible(found, match)


def _symbol(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨{code:02X}⟩"


def _invisible(found: str, match: re.Match[str]) -> str:
    if len(found) == 1:
        if _decorates(found, match):
            return found if found == "\u200c" else ""
        return f"⟨{_name(ord(found))}⟩"
    names = {_name(ord(character)) for character in found}
    return f"⟨{names.pop() if len(names) == 1 else 'invisible'}×{len(found)}⟩"


def _decorates(found: str, match: re.Match[str]) -> bool:
    """Is it a lone joiner or variation selector where honest text has one: after a letter or an emoji?"""
    if found not in "\u200c\u200d\ufe0e\ufe0f" or match.start() == 0:
        return False
    before = match.string[match.start() - 1]
    if found in "\ufe0e\ufe0f":
        return before.isprintable() and before != " "
    after = match.string[match.end() : match.end() + 1]
    return not before.isascii() and before.isprintable() and not after.isascii() and after.isprintable()


def _name(code: int) -> str:
    if name := NAMES.get(code):
        return name
    if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:
        return "VS"
    if 0xE0000 <= code <= 0xE007F:
        return "TAG"
    return f"U+{code:04X}"
