"""Answers of a given shape: a JSON Schema (or a pydantic model's), compiled, sent, and checked.

`jsonschema` is imported when the first schema is compiled: most conversations need none.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel

from core.errors import AnswerMismatch, InvalidRequest

Json = None | bool | int | float | str | list[Any] | dict[str, Any]


@dataclass(frozen=True, slots=True)
class StructuredOutput:
    """A compiled schema. `schema_json` goes to Codex as `outputSchema`."""

    schema_json: str
    model: type[BaseModel] | None = None

    @classmethod
    def compile(cls, shape: str | type[BaseModel]) -> StructuredOutput:
        """From a JSON Schema as text, or a pydantic model. Raises InvalidRequest for a bad schema."""
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import SchemaError

        if not isinstance(shape, str):
            return cls(json.dumps(shape.model_json_schema()), shape)
        try:
            schema = json.loads(shape)
        except ValueError as error:
            raise InvalidRequest("The schema is not JSON", why=str(error), todo="Mend it.") from error
        if not isinstance(schema, dict):
            raise InvalidRequest("The schema is not a JSON object", todo="Mend it.")
        try:
            Draft202012Validator.check_schema(cast(dict[str, Any], schema))
        except SchemaError as error:
            where = "/".join(map(str, error.absolute_path)) or "the top"
            raise InvalidRequest(
                "The schema is not a JSON Schema", why=f"at {where}: {error.message}", todo="Mend it."
            ) from error
        return cls(json.dumps(schema))

    def parse(self, text: str) -> Json | BaseModel:
        """The answer as a value. Raises AnswerMismatch, which keeps the text."""
        from jsonschema import Draft202012Validator

        try:
            if self.model is not None:
                return self.model.model_validate_json(text)
            value: Json = json.loads(text)
        except ValueError as error:
            raise AnswerMismatch(str(error), text) from error
        validator = Draft202012Validator(json.loads(self.schema_json))
        problem = next(iter(validator.iter_errors(value)), None)  # pyright: ignore[reportUnknownMemberType]
        if problem is not None:
            where = "/".join(map(str, problem.absolute_path)) or "the top"
            raise AnswerMismatch(f"at {where}: {problem.message}", text)
        return value
