"""An MCP form's schema becomes fields, and what is filled in becomes the JSON that it asks for."""

from __future__ import annotations

import json
import re
import warnings
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui import examples
from tui.prompts.form import Form, Value, WrongValue, fill_in, parse_form
from tui.prompts.form_limits import parse_limits


def form(properties: dict[str, Any], *required: str) -> Form:
    parsed = parse_form(json.dumps({"type": "object", "properties": properties, "required": list(required)}))
    assert parsed is not None
    return parsed


def filled(properties: dict[str, Any], values: dict[str, Value], *required: str) -> dict[str, Any]:
    return json.loads(fill_in(form(properties, *required), values))


def test_each_kind_of_field_is_known() -> None:
    parsed = parse_form(examples.FORM.form_json)
    assert parsed is not None
    assert [(field.kind, field.required) for field in parsed.fields] == [
        ("text", True),
        ("number", False),
        ("one", True),
        ("boolean", False),
    ]
    assert [pick.label for pick in parsed.fields[2].picks] == ["Sailing", "Motor"]
    assert parsed.fields[3].default == ("true",)


def test_what_is_filled_in_has_the_types_of_the_schema() -> None:
    properties = {
        "text": {"type": "string"},
        "number": {"type": "number"},
        "integer": {"type": "integer"},
        "boolean": {"type": "boolean"},
        "one": {"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]},
        "several": {"type": "array", "items": {"type": "string", "enum": ["x", "y", "z"]}},
        "left out": {"type": "string"},
    }
    values: dict[str, Value] = {
        "text": "7",
        "number": "1.5",
        "integer": "3",
        "boolean": ("false",),
        "one": ("b",),
        "several": ("x", "z"),
        "left out": "",
    }
    assert filled(properties, values) == {
        "text": "7",
        "number": 1.5,
        "integer": 3,
        "boolean": False,
        "one": "b",
        "several": ["x", "z"],
    }


@pytest.mark.parametrize(
    ("spec", "value", "why"),
    [
        ({"type": "integer"}, "four", "number"),
        ({"type": "integer"}, "4.5", "number"),
        ({"type": "number"}, "nan", "number"),
        ({"type": "number", "minimum": 1}, "0.5", "at least 1"),
        ({"type": "string", "minLength": 3}, "ab", "at least 3 characters"),
        ({"type": "string", "pattern": "^[a-z]+$"}, "A1", "like"),
        ({"type": "string", "format": "email"}, "nobody", "email"),
        ({"type": "string", "format": "date"}, "tomorrow", "date"),
        ({"type": "string", "format": "date-time"}, "2026-11-30T12:00:00", "date-time"),
        ({"type": "string", "format": "uri"}, "harbour", "uri"),
    ],
)
def test_a_wrong_answer_is_told_with_its_field(spec: dict[str, Any], value: str, why: str) -> None:
    with pytest.raises(WrongValue, match=why) as caught:
        fill_in(form({"field": spec}), {"field": value})
    assert caught.value.name == "field"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("email", "ida@harbour.example"),
        ("uri", "https://harbour.example/boats"),
        ("date", "2026-11-30"),
        ("date-time", "2026-11-30T12:00:00Z"),
        ("date-time", "2026-11-30T12:00:00.5+02:00"),
        ("tide", "anything, as nobody here knows that format"),
    ],
)
def test_an_answer_in_its_format_is_taken(kind: str, value: str) -> None:
    filled = fill_in(form({"field": {"type": "string", "format": kind}}), {"field": value})
    assert json.loads(filled) == {"field": value}


@pytest.mark.parametrize(
    "spec",
    [
        {"type": "string", "$ref": "#/nope"},
        {"type": "string", "$ref": "file:///etc/hostname"},
        {"type": "string", "$ref": "http://harbour.example/schema"},
        {"type": "string", "pattern": "("},
        {"type": "string", "pattern": "^(a+)+$"},
        {"type": "string", "pattern": "a?" * 26 + "a" * 26},
        {"type": "string", "pattern": ["x"], "minLength": "many", "format": 3},
        {"type": "string", "allOf": [{"$ref": "#"}]},
    ],
)
def test_nothing_of_a_hostile_schema_is_carried_out(spec: dict[str, Any]) -> None:
    value = "a" * 26 + "!"
    began = process_time()
    assert filled({"field": spec}, {"field": value}) == {"field": value}
    assert process_time() - began < 0.5


def test_a_schema_that_refers_to_itself_is_answered() -> None:
    parsed = parse_form(json.dumps({"$ref": "#", "properties": {"a": {"type": "boolean"}}}))
    assert parsed is not None
    assert fill_in(parsed, {"a": ("true",)}) == '{"a": true}'


def test_what_is_too_deep_or_too_large_is_no_form() -> None:
    assert parse_form("[" * 100_000) is None
    assert parse_form(json.dumps({"properties": {str(n): {} for n in range(101)}})) is None
    wide = {"type": "string", "enum": [str(n) for n in range(1_001)]}
    assert parse_form(json.dumps({"properties": {"a": wide}})) is None


@given(
    st.text("ab[]\\^-x", max_size=12).map(lambda inner: f"[{inner}]")
    | st.text("ab[]\\^-x*+?{},1", max_size=12),
    st.text("ab[]x", max_size=30),
)
def test_a_pattern_that_is_tried_says_what_the_matcher_says(pattern: str, text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        broken = parse_limits({"pattern": pattern}).broken_by(text)
        try:
            matches = re.search(pattern, text) is not None
        except re.error:
            matches = True
    assert not (broken and matches)


def test_an_integer_may_be_as_large_as_it_is() -> None:
    assert filled({"n": {"type": "integer"}}, {"n": "9" * 400}) == {"n": int("9" * 400)}


def test_a_needed_field_that_is_empty_is_told() -> None:
    with pytest.raises(WrongValue, match="needed") as caught:
        fill_in(form({"a": {"type": "string"}, "b": {"type": "string"}}, "b"), {"a": "x"})
    assert caught.value.name == "b"


def test_a_field_of_an_unknown_kind_is_shown_as_one() -> None:
    assert form({"odd": {"type": "object"}, "odder": 5}).fields[0].kind == "unknown"


def test_a_form_without_fields_is_answered_with_an_empty_object() -> None:
    parsed = parse_form(examples.TOOL_FORM.form_json)
    assert parsed is not None
    assert fill_in(parsed, {}) == "{}"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["type", "properties", "required", "enum", "default", "items", "oneOf", "a"]),
                inner,
            )
        ),
    )
)
def test_no_schema_breaks_the_parser(schema: object) -> None:
    parsed = parse_form(json.dumps(schema))
    assert parsed is None or all(field.name or field.name == "" for field in parsed.fields)


def test_what_is_no_json_is_no_form() -> None:
    assert parse_form("{") is None
