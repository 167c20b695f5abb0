"""Secrets in text, covered up: for what leaves this machine. Pure.

What is recognised by its own shape is covered wherever it stands (keys of known services, JSON web tokens,
private keys, passwords in addresses, authorization headers); anything else only where it is assigned to a
name that says it is one (`API_TOKEN=…`, `"password": "…"`, `--secret …`). Text without any of these is
returned as it is, and masking twice is masking once.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, cast

MASK: Final = "[secret]"
"""What stands where a secret stood. Its length says nothing of the secret's."""

_KEY_BLOCK = re.compile(
    r"-----BEGIN (?P<kind>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----"
    r"(?:(?!-----END )[\s\S])*(?:-----END (?P=kind)-----)?"
)

_TOKENS = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"sk-[A-Za-z0-9_-]{16,}"
    r"|(?:sk|rk|pk|whsec)_(?:live|test)_[A-Za-z0-9]{16,}"
    r"|gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
    r"|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}"
    r"|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"
    r"|AIza[A-Za-z0-9_-]{35}"
    r"|xapp-[A-Za-z0-9-]{16,}"
    r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"
    r"|GOCSPX-[A-Za-z0-9_-]{16,}"
    r"|dapi[a-f0-9]{32}"
    r"|ya29\.[A-Za-z0-9_-]{20,}"
    r"|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{20,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    r")"
)

_ADDRESS = re.compile(
    r"(?P<before>\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@\"'<>\[]{0,200}:)(?P<secret>[^\s/\"'<>]{1,500})(?=@)"
)
_WEBHOOK = re.compile(r"(?P<before>://hooks\.slack\.com/[a-z]{1,20}/)(?P<secret>[A-Za-z0-9/_-]{20,200})")
_COOKIE = re.compile(
    r"(?P<before>\b(?:set-)?cookie[\"']?\s{0,4}:\s{0,4}[\"']?)(?P<secret>[^\s\"'\[][^\r\n\"']{3,4000})",
    re.IGNORECASE,
)

_HEADER = re.compile(
    r"(?P<before>\bauthorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:bearer|basic|token|digest)\s{1,4})"
    r"(?P<secret>[^\s\"',;\\\[]{4,})|(?P<bearer>\bbearer\s{1,4})(?P<token>[A-Za-z0-9._~+/-]{20,}=*)",
    re.IGNORECASE,
)

_NAME = (
    r"(?:[A-Za-z0-9]{1,40}[_.-]){0,6}(?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?"
    r"|(?:api|access|private|secret|signing|encryption|account|auth)[_-]?key|client[_-]?secret)"
    r"(?:[_-][A-Za-z0-9]{1,20}){0,2}"
)
_WORD_NAME = r"[a-z]{1,30}(?:Password|Secret|Token|ApiKey|AccessKey|PrivateKey)|apiKey|accessKey|privateKey"
_SECRET_NAME = re.compile(rf"(?:{_NAME})|(?:{_WORD_NAME})", re.IGNORECASE)
_HARMLESS_NAME = re.compile(
    r"(?:^|[_.-])(?:count|limit|id|ids|type|url|uri|name|file|path|env|budget|length|len|used|usage|expires?|ttl)$",
    re.IGNORECASE,
)

_PASSWORD_NAME = re.compile(r"(?:pass(?:word|wd|phrase)|pwd|secret)$", re.IGNORECASE)

_ASSIGNED = re.compile(
    rf"(?<![A-Za-z0-9_])(?P<name>{_NAME}|{_WORD_NAME})(?P<close>\\?[\"'])?"
    r"(?P<sign>\s{0,4}(?::=|=>|[=:])\s{0,4})"
    r"(?:(?P<quote>\\?[\"'`])(?P<quoted>[^\"'`\\\r\n]{1,2000})|(?P<bare>[^\s\"'`\\,;&|(){}<>\[\]$]{3,2000}))",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"(?P<before>(?<!\S)--?(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|passphrase|secret|token|api-?key|access-?key)[ =])(?P<secret>[^\s\"'\\\[-][^\s\"'\\]{2,})",
    re.IGNORECASE,
)

_COMMANDS = tuple(
    re.compile(rf"(?P<before>{before})(?P<secret>[^\s\"'\[]{{3,500}})")
    for before in (
        r"\bcurl\b[^\r\n|;]{0,400}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,100}:",
        r"\bmysql(?:dump|admin)?\b[^\r\n|;]{0,400}?\s-p",
        r"\bsshpass\s+-p\s?",
        r"\bmachine\s+\S{1,200}\s+login\s+\S{1,200}\s+password\s+",
    )
)
"""Options and files of programs that say nothing of a secret where one stands."""

_DEEPEST = 60
_WORDS = frozenset(
    {"none", "null", "true", "false", "str", "string", "bytes", "any", "optional", "required", "secret"}
)


def mask(text: str) -> str:
    """The text with every secret replaced by `MASK`."""
    text = _KEY_BLOCK.sub(MASK, text)
    text = _ADDRESS.sub(rf"\g<before>{MASK}", text)
    text = _WEBHOOK.sub(rf"\g<before>{MASK}", text)
    text = _HEADER.sub(_masked_header, text)
    text = _COOKIE.sub(rf"\g<before>{MASK}", text)
    text = _TOKENS.sub(MASK, text)
    text = _ASSIGNED.sub(_masked_assignment, text)
    text = _OPTION.sub(rf"\g<before>{MASK}", text)
    for command in _COMMANDS:
        text = command.sub(rf"\g<before>{MASK}", text)
    return text


def mask_json(text: str) -> str:
    """As `mask`, for text that may be JSON: its strings are masked by themselves, so that it stays JSON.

    JSON within its strings is masked in the same way. Unchanged to the byte where it holds no secret.
    """
    return _masked_text(text, 0)


def _masked_text(text: str, depth: int) -> str:
    value = _parsed(text) if depth < _DEEPEST else None
    if value is None:
        return mask(text)
    masked = _masked_value(value, depth)
    return text if masked == value else json.dumps(masked, ensure_ascii=False, separators=(",", ":"))


def _parsed(text: str) -> dict[str, Any] | list[Any] | None:
    """The object or list that a text is; None for any other text."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any] | list[Any]", value) if isinstance(value, dict | list) else None


def _masked_value(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return _masked_text(value, depth + 1)
    if depth >= _DEEPEST:
        return value
    if isinstance(value, list):
        return [_masked_value(one, depth + 1) for one in cast("list[Any]", value)]
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {mask(name): _masked_field(name, one, depth) for name, one in fields.items()}
    return value


def _masked_field(name: str, value: Any, depth: int) -> Any:
    return _covered(value) if _names_a_secret(name) else _masked_value(value, depth + 1)


def _covered(value: Any) -> Any:
    """What a secret's name is given: words and numbers of it, also in a list."""
    if isinstance(value, list):
        return [_covered(one) for one in cast("list[Any]", value)]
    if isinstance(value, str):
        return value if not value or value.lower() in _WORDS else MASK
    if isinstance(value, int | float) and not isinstance(value, bool):
        return MASK
    return _masked_value(value, 1)


def _names_a_secret(name: str) -> bool:
    return _SECRET_NAME.fullmatch(name) is not None and _HARMLESS_NAME.search(name) is None


def _masked_header(match: re.Match[str]) -> str:
    return f"{match['before'] or match['bearer']}{MASK}"


def _masked_assignment(match: re.Match[str]) -> str:
    """Only what is a value: `token = next(tokens)` and `password: str` are code."""
    name, quoted, bare = match["name"], match["quoted"], match["bare"]
    value = quoted or bare or ""
    if not _names_a_secret(name) or value.lower() in _WORDS or value.startswith(MASK):
        return match[0]
    if quoted is None and not _looks_assigned(name, match["sign"], value):
        return match[0]
    before = match[0][: match.start("quoted" if quoted else "bare") - match.start()]
    return f"{before}{MASK}"


def _looks_assigned(name: str, sign: str, value: str) -> bool:
    """A value without quotes: of a shell's or a settings file's assignment, or one that is no word."""
    if name.isupper() and sign.strip() == "=":
        return True
    if _PASSWORD_NAME.search(name) and (name.isupper() or sign == "="):
        return "." not in value and value.lower() not in name.lower()
    has_digit = any(character.isdigit() for character in value)
    if "." in value:
        return sign == "=" and has_digit and len(value) >= 10
    return len(value) >= 6 and has_digit
