"""Answers for turns that ask for a shape."""

from __future__ import annotations

import jsonschema
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from core.demo.example import example

simple = st.one_of(
    st.sampled_from(["string", "integer", "number", "boolean", "null"]).map(lambda kind: {"type": kind}),
    st.builds(
        lambda low, more: {"type": "string", "minLength": low, "maxLength": low + more},
        st.integers(0, 20),
        st.integers(0, 20),
    ),
    st.lists(st.text(), min_size=1).map(lambda values: {"enum": values}),
    st.text().map(lambda value: {"const": value}),
    st.just({"type": ["null", "string"]}),
)


def deeper(inner: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    return st.one_of(
        inner.map(lambda item: {"type": "array", "items": item}),
        st.lists(inner, min_size=1).map(lambda options: {"anyOf": options}),
        st.dictionaries(st.text(max_size=5), inner, max_size=4).map(
            lambda named: {
                "type": "object",
                "properties": named,
                "required": list(named),
                "additionalProperties": False,
            }
        ),
    )


@given(st.recursive(simple, deeper, max_leaves=8), st.text())
def test_an_example_fits_its_schema(schema: JsonValue, text: str) -> None:
    jsonschema.validate(example(schema, text), schema)
