from __future__ import annotations

import pytest
from pydantic import BaseModel

from core.conversation.structured import StructuredOutput
from core.errors import AnswerMismatch, InvalidRequest

SCHEMA = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}'


class Count(BaseModel):
    n: int


def test_an_answer_of_the_shape_is_parsed() -> None:
    assert StructuredOutput.compile(SCHEMA).parse('{"n": 3}') == {"n": 3}
    assert StructuredOutput.compile(Count).parse('{"n": 3}') == Count(n=3)


@pytest.mark.parametrize("schema", ["{", "[]", '{"type": "nothing"}'])
def test_a_bad_schema_is_refused_before_anything_is_sent(schema: str) -> None:
    with pytest.raises(InvalidRequest):
        StructuredOutput.compile(schema)


@pytest.mark.parametrize("shape", [SCHEMA, Count])
@pytest.mark.parametrize("text", ["no JSON", "{}", '{"n": "three"}'])
def test_a_mismatch_is_an_error_that_keeps_the_text(shape: str | type[BaseModel], text: str) -> None:
    with pytest.raises(AnswerMismatch) as caught:
        StructuredOutput.compile(shape).parse(text)
    assert caught.value.text == text
