"""A value that fits a JSON schema, for turns that ask for one (`outputSchema`, thread titles)."""

from __future__ import annotations

from pydantic import JsonValue

_SIMPLE: dict[str, JsonValue] = {"integer": 1, "number": 1.5, "boolean": True, "null": None}


def example(schema: JsonValue, text: str) -> JsonValue:
    """The smallest value that has everything the schema names; its strings say `text`."""
    if not isinstance(schema, dict):
        return text
    if "const" in schema:
        return schema["const"]
    for choice in ("enum", "anyOf", "oneOf"):
        choices = schema.get(choice)
        if isinstance(choices, list) and choices:
            return choices[0] if choice == "enum" else example(choices[0], text)
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    match kind:
        case "object":
            properties = schema.get("properties")
            named = properties if isinstance(properties, dict) else {}
            return {name: example(inner, text) for name, inner in named.items()}
        case "array":
            return [example(schema.get("items"), text)]
        case "string":
            return _string(schema, text)
        case str() if kind in _SIMPLE:
            return _SIMPLE[kind]
        case _:
            return text


def _string(schema: dict[str, JsonValue], text: str) -> str:
    shortest, longest = schema.get("minLength"), schema.get("maxLength")
    if isinstance(shortest, int):
        text = text.ljust(shortest, ".")
    return text[:longest] if isinstance(longest, int) else text
