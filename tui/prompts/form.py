"""An MCP form's JSON schema as typed fields, and what was filled in as the JSON that answers it. Pure.

MCP lets a form be a flat object of text, numbers, yes or no, and choices.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from tui.prompts.form_limits import NONE, Limits, parse_limits

Kind = Literal["text", "number", "integer", "boolean", "one", "several", "unknown"]
Value = str | tuple[str, ...]
"""What a field holds on the screen: text, or the picked choices' values."""

YES, NO = "true", "false"

MOST_FIELDS = 100
MOST_PICKS = 1_000
"""Choices of a form, all fields together; each is drawn."""


@dataclass(frozen=True, slots=True)
class Pick:
    """One choice: the JSON string that is sent, and the words for it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class FormField:
    name: str
    title: str
    description: str
    kind: Kind
    required: bool
    picks: tuple[Pick, ...] = ()
    default: Value = ""
    limits: Limits = NONE


@dataclass(frozen=True, slots=True)
class Form:
    fields: tuple[FormField, ...]


class WrongValue(Exception):
    """What was filled in does not do. `name` is the field's, "" for the whole."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(why)
        self.name = name
        self.why = why


def parse_form(form_json: str) -> Form | None:
    """The form; None where the text is no object schema, or too large to be filled in here."""
    try:
        schema = json.loads(form_json)
    except (ValueError, RecursionError):
        return None
    properties = schema.get("properties", {}) if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or len(properties) > MOST_FIELDS:
        return None
    required = schema.get("required")
    names = required if isinstance(required, list) else []
    fields = tuple(
        _field(str(name), spec if isinstance(spec, dict) else {}, name in names)
        for name, spec in properties.items()
    )
    if sum(len(field.picks) for field in fields) > MOST_PICKS:
        return None
    return Form(fields)


def fill_in(form: Form, values: Mapping[str, Value]) -> str:
    """The JSON object that answers the form. Raises WrongValue."""
    content: dict[str, Any] = {}
    for field in form.fields:
        value = values.get(field.name, "")
        if not value:
            if field.required:
                raise WrongValue(field.name, f"{field.title} is needed")
            continue
        typed = _typed(field, value)
        if broken := field.limits.broken_by(typed):
            raise WrongValue(field.name, f"{field.title}: {broken}")
        content[field.name] = typed
    return json.dumps(content, ensure_ascii=False)


def _field(name: str, spec: dict[str, Any], required: bool) -> FormField:
    kind, picks = _kind(spec)
    return FormField(
        name,
        title=str(spec.get("title") or name),
        description=str(spec.get("description") or ""),
        kind=kind,
        required=required,
        picks=picks,
        default=_default(kind, spec.get("default")),
        limits=parse_limits(spec),
    )


def _kind(spec: dict[str, Any]) -> tuple[Kind, tuple[Pick, ...]]:
    if picks := _picks(spec):
        return "one", picks
    match spec.get("type"):
        case "string":
            return "text", ()
        case "number":
            return "number", ()
        case "integer":
            return "integer", ()
        case "boolean":
            return "boolean", (Pick(YES, "yes"), Pick(NO, "no"))
        case "array" if isinstance(spec.get("items"), dict) and (picks := _picks(spec["items"])):
            return "several", picks
        case _:
            return "unknown", ()


def _picks(spec: dict[str, Any]) -> tuple[Pick, ...]:
    """Of `enum` with `enumNames`, or of `oneOf`/`anyOf` with `const` and `title`."""
    values = spec.get("enum")
    if isinstance(values, list) and all(isinstance(value, str) for value in values):
        names = spec.get("enumNames")
        labels = names if isinstance(names, list) and len(names) == len(values) else values
        return tuple(Pick(value, str(label)) for value, label in zip(values, labels, strict=True))
    options = spec.get("oneOf") or spec.get("anyOf")
    if not isinstance(options, list):
        return ()
    picks = [
        Pick(option["const"], str(option.get("title") or option["const"]))
        for option in options
        if isinstance(option, dict) and isinstance(option.get("const"), str)
    ]
    return tuple(picks) if len(picks) == len(options) else ()


def _default(kind: Kind, default: Any) -> Value:
    if kind == "several":
        return tuple(str(value) for value in default) if isinstance(default, list) else ()
    if kind == "boolean":
        return (YES if default else NO,) if isinstance(default, bool) else ()
    if kind == "one":
        return (default,) if isinstance(default, str) else ()
    return str(default) if isinstance(default, str | int | float) and not isinstance(default, bool) else ""


def _typed(field: FormField, value: Value) -> Any:
    if isinstance(value, tuple):
        if field.kind == "boolean":
            return value[0] == YES
        return list(value) if field.kind == "several" else value[0]
    if field.kind not in ("integer", "number"):
        return value
    number = _number(value, whole=field.kind == "integer")
    if number is None:
        raise WrongValue(field.name, f"{field.title} is to be a number")
    return number


def _number(text: str, *, whole: bool) -> int | float | None:
    """None for what is none, or has no place in JSON."""
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        return None
    return number if whole or isfinite(number) else None
