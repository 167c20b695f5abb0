"""Compares a wire model that we read with the JSON schema that Codex prints, and finds that schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

Schema = dict[str, Any]


@dataclass(frozen=True)
class Printed:
    """The schema as the binary printed it: `folder` has a file for each message."""

    folder: Path

    def file(self, name: str) -> Schema:
        for place in ("v2", ".", "v1"):
            path = self.folder / place / f"{name}.json"
            if path.exists():
                return json.loads(path.read_text())
        raise AssertionError(f"Codex knows no {name}")

    def params_name(self, kind: str, method: str) -> str | None:
        """The type of a method's params. `kind`: ClientRequest, ServerRequest, ServerNotification."""
        for entry in self._messages[kind]:
            if method in entry["properties"]["method"]["enum"]:
                params = entry["properties"].get("params", {})
                if nullable := [part["$ref"] for part in params.get("anyOf", ()) if "$ref" in part]:
                    return "Nullable" + nullable[0].rpartition("/")[2]
                return params["$ref"].rpartition("/")[2] if "$ref" in params else None
        raise AssertionError(f"Codex knows no {kind} {method}")

    @cached_property
    def _messages(self) -> dict[str, list[Schema]]:
        return {
            kind: self.file(kind)["oneOf"]
            for kind in ("ClientRequest", "ServerRequest", "ServerNotification")
        }

    def response(self, kind: str, method: str) -> Schema:
        name = self.params_name(kind, method)
        assert name is not None, method
        return self.file(name.removesuffix("Params").removeprefix("Nullable") + "Response")

    def validate(self, name: str, value: object) -> None:
        Draft7Validator(self.file(name)).validate(value)


def alternatives(schema: Schema | bool, document: Schema) -> Iterator[Schema]:
    """The plain schemas that a value may be of."""
    if isinstance(schema, bool):
        yield {}
        return
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        pool = document.get("definitions") or document.get("$defs") or {}
        yield from alternatives(pool[name], document)
        return
    for joint in ("oneOf", "anyOf", "allOf"):
        if joint in schema:
            rest = {k: v for k, v in schema.items() if k in ("properties", "required")}
            for part in schema[joint]:
                for found in alternatives(part, document):
                    yield _joined(found, rest)
            return
    types = schema.get("type")
    for one in types if isinstance(types, list) else [types]:
        yield {**schema, "type": one}


def _joined(found: Schema, rest: Schema) -> Schema:
    if not rest:
        return found
    return {
        **found,
        "type": "object",
        "properties": {**rest.get("properties", {}), **found.get("properties", {})},
        "required": [*rest.get("required", []), *found.get("required", [])],
    }


def problems(
    ours: Schema, our_doc: Schema, theirs: Schema | bool, their_doc: Schema, where: str
) -> list[str]:
    """Where a value that Codex may send would not be read by our model. `ours` is pydantic's schema of it."""
    own = list(alternatives(ours, our_doc))
    if any(_is_any(schema) for schema in own):
        return []
    found: list[str] = []
    objects = [schema for schema in alternatives(theirs, their_doc) if schema.get("type") == "object"]
    for schema in alternatives(theirs, their_doc):
        kind = schema.get("type")
        if kind == "object":
            continue
        matching = [mine for mine in own if mine.get("type") == kind]
        if not matching:
            found.append(
                f"{where}: Codex may send {kind or schema}, we read {[mine.get('type') for mine in own]}"
            )
        elif kind == "array":
            found += problems(
                matching[0]["items"], our_doc, schema.get("items", True), their_doc, f"{where}[]"
            )
    if objects:
        mine = [schema for schema in own if schema.get("type") == "object"]
        if not mine:
            found.append(f"{where}: Codex may send an object")
        elif "properties" in mine[0]:
            found += _object_problems(mine[0], our_doc, objects, their_doc, where)
    return found


def _is_any(schema: Schema) -> bool:
    return schema.get("type") is None and "properties" not in schema


def _object_problems(
    ours: Schema, our_doc: Schema, theirs: list[Schema], their_doc: Schema, where: str
) -> list[str]:
    found: list[str] = []
    for name, field in ours["properties"].items():
        place, needed = f"{where}.{name}", name in ours.get("required", [])
        having = [schema for schema in theirs if name in schema.get("properties", {})]
        if not having:
            found.append(f"{place}: Codex knows no such field")
        if needed and any(name not in schema.get("required", []) for schema in theirs):
            found.append(f"{place}: Codex may leave it out")
        for schema in having:
            found += problems(field, our_doc, schema["properties"][name], their_doc, place)
    return found
