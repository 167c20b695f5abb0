"""An MCP form's JSON schema as typed fields, and what was filled in as the JSON that answers it. Pure.

MCP lets a form be a flat object of text, numbers, yes or no, and choices.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from math import isfinite, nan
from typing import Any, Literal
from urllib.parse import urlsplit

Kind = Literal["text", "number", "integer", "boolean", "one", "several", "unknown"]
Value = str | tuple[str, ...]
"""What a field holds on the screen: text, or the picked choices' values."""

YES, NO = "true", "false"


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
    hint: str = ""
    """What the schema asks of the value, in words."""


@dataclass(frozen=True, slots=True)
class Form:
    fields: tuple[FormField, ...]
    schema_json: str


class WrongValue(Exception):
    """What was filled in does not do. `name` is the field's, "" for the whole."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(why)
        self.name = name
        self.why = why


def parse_form(form_json: str) -> Form | None:
    """The form; None where the text is no object schema."""
    try:
        schema = json.loads(form_json)
    except ValueError:
        return None
    properties = schema.get("properties", {}) if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return None
    required = schema.get("required")
    names = required if isinstance(required, list) else []
    fields = tuple(
        _field(str(name), spec if isinstance(spec, dict) else {}, name in names)
        for name, spec in properties.items()
    )
    return Form(fields, form_json)


def fill_in(form: Form, values: Mapping[str, Value]) -> str:
    """The JSON object that answers the form. Raises WrongValue."""
    content: dict[str, Any] = {}
    for field in form.fields:
        value = values.get(field.name, "")
        if not value:
            if field.required:
                raise WrongValue(field.name, f"{field.title} is needed")
            continue
        content[field.name] = _typed(field, value)
    _check(form, content)
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
        hint=_hint(spec),
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


_LIMITS = (
    ("format", "as {}"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("minimum", "at least {}"),
    ("maximum", "at most {}"),
    ("minItems", "at least {} of them"),
    ("maxItems", "at most {} of them"),
    ("pattern", "like {}"),
)
_TRIVIAL = (("minLength", 0), ("minLength", 1), ("minItems", 0))


def _hint(spec: dict[str, Any]) -> str:
    said = [(key, words) for key, words in _LIMITS if key in spec and (key, spec[key]) not in _TRIVIAL]
    return ", ".join(words.format(spec[key]) for key, words in said)


def _typed(field: FormField, value: Value) -> Any:
    if isinstance(value, tuple):
        if field.kind == "boolean":
            return value[0] == YES
        return list(value) if field.kind == "several" else value[0]
    if field.kind not in ("integer", "number"):
        return value
    try:
        number = int(value) if field.kind == "integer" else float(value)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise WrongValue(field.name, f"{field.title} is to be a number")
    return number


def _check(form: Form, content: dict[str, Any]) -> None:
    """Everything else that the schema asks."""
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.exceptions import SchemaError

    schema = json.loads(form.schema_json)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return  # The server checks the answer itself; a schema that says nothing usable forbids nothing.
    checker = FormatChecker(())
    for name, check in _FORMATS.items():
        checker.checks(name)(check)
    for error in Draft202012Validator(schema, format_checker=checker).iter_errors(content):
        name = str(error.absolute_path[0]) if error.absolute_path else ""
        title = next((field.title for field in form.fields if field.name == name), "The form")
        words = dict(_LIMITS).get(str(error.validator))
        raise WrongValue(name, f"{title}: {words.format(error.validator_value) if words else error.message}")


def _is_address(value: object) -> bool:
    """Close enough to an e-mail address; the server knows better."""
    name, at, domain = value.rpartition("@") if isinstance(value, str) else ("", "", "")
    return bool(name and at and domain) and not any(character.isspace() for character in f"{name}{domain}")


def _is_uri(value: object) -> bool:
    parts = urlsplit(value) if isinstance(value, str) else None
    return parts is not None and bool(parts.scheme) and bool(parts.netloc or parts.path)


def _reads(read: Callable[[str], object]) -> Callable[[object], bool]:
    def check(value: object) -> bool:
        try:
            read(str(value))
        except ValueError:
            return False
        return True

    return check


def _moment(text: str) -> datetime:
    """Raises ValueError for a moment without a zone, which RFC 3339 does not know."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError("it has no zone")
    return found


_FORMATS: dict[str, Callable[[object], bool]] = {
    "email": _is_address,
    "uri": _is_uri,
    "date": _reads(date.fromisoformat),
    "date-time": _reads(_moment),
}
"""The formats that MCP lets a form ask for."""
