"""The rights that a permissions request asks for <-> `Right`.

Each right carries the subset of Codex's JSON that grants it alone, so that granting some of them is the
union of their subsets and never more than was asked for. What is denied inside the request (`access:
"deny"`) goes with every file right: granting one without it would grant more.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import JsonValue
from pydantic_core import from_json

from core.agent.requests import Right
from core.codex.translate import to_text

JsonObject = dict[str, JsonValue]

_FILE_RIGHTS = frozenset({"entries", "read", "write", "globScanMaxDepth"})


def rights_of(asked: JsonObject) -> tuple[Right, ...]:
    """One right for the network, one for each path, one for whatever else is asked for."""
    found: list[Right] = []
    for name, value in asked.items():
        if value is None:
            continue
        if name == "network" and isinstance(value, dict):
            if value.get("enabled"):
                found.append(_right("Network access", {"network": value}, "network"))
        elif name == "fileSystem" and isinstance(value, dict):
            found.extend(_file_rights(value))
        else:
            found.append(_right(f"{name}: {to_text(value)}", {name: value}))
    return tuple(found)


def granted(rights: Iterable[Right]) -> JsonObject:
    """What Codex is told to grant: the union of the rights' subsets."""
    union: JsonObject = {}
    for right in rights:
        _merge(union, from_json(right.raw))
    return union


def _file_rights(asked: JsonObject) -> list[Right]:
    """Codex lists each path twice, under `entries` and under `read` or `write`: the entries say more."""
    entries = asked.get("entries")
    if isinstance(entries, list) and entries:
        return _entry_rights(entries, {k: v for k, v in asked.items() if k == "globScanMaxDepth" and v})
    found: list[Right] = []
    for name in ("read", "write"):
        paths = asked.get(name)
        for path in paths if isinstance(paths, list) else ():
            found.append(_right(f"{name.capitalize()} {path}", {"fileSystem": {name: [path]}}, name))
    rest: JsonObject = {name: value for name, value in asked.items() if name not in _FILE_RIGHTS and value}
    if rest:
        found.append(_right(f"fileSystem: {to_text(rest)}", {"fileSystem": rest}))
    return found


def _entry_rights(entries: list[JsonValue], rest: JsonObject) -> list[Right]:
    denied = [entry for entry in entries if _access(entry) == "deny"]
    found: list[Right] = []
    for entry in entries:
        if entry in denied:
            continue
        label = f"{_access(entry).capitalize()} {_path(entry)}"
        if denied:
            label += f", except {', '.join(_path(exception) for exception in denied)}"
        found.append(_right(label, {"fileSystem": {"entries": [entry, *denied], **rest}}, _access(entry)))
    return found


def _access(entry: JsonValue) -> str:
    return str(entry.get("access")) if isinstance(entry, dict) else "?"


def _path(entry: JsonValue) -> str:
    """A path or a pattern as it is; a special place, such as the temporary folder, as Codex's JSON."""
    path = entry.get("path") if isinstance(entry, dict) else entry
    if isinstance(path, dict):
        named = path.get("path") or path.get("pattern")
        if isinstance(named, str) and path.get("type") in ("path", "glob_pattern"):
            return named
    return to_text(path)


def _right(label: str, subset: JsonObject, to: str = "other") -> Right:
    match to:
        case "network" | "read" | "write":
            return Right(label=label, raw=to_text(subset), to=to)
        case _:
            return Right(label=label, raw=to_text(subset))


def _merge(into: JsonObject, more: JsonObject) -> None:
    """Objects are joined, lists united, anything else is the same in both."""
    for name, value in more.items():
        present = into.get(name)
        if isinstance(present, dict) and isinstance(value, dict):
            _merge(present, value)
        elif isinstance(present, list) and isinstance(value, list):
            present.extend(entry for entry in value if entry not in present)
        else:
            into[name] = value
