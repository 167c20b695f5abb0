"""A call's arguments: from JSON text to a value that its schema allows.

`jsonschema` is imported with the first call, in a thread: it takes a tenth of a second.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

from core.errors import InvalidRequest
from core.tools.toolset import Arguments, Tool

_SHOWN = 300
"""Characters of a message that may quote the arguments."""

_Validate = Callable[[dict[str, Any]], str]
"""What is against the arguments; "" for nothing."""


async def parse_arguments(tool: Tool, text: str) -> Arguments:
    """Raises InvalidRequest for what is not JSON, not an object, or against the tool's schema."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refused(tool, f"they are not JSON: {error}") from error
    if not isinstance(value, dict):
        raise _refused(tool, "they are not a JSON object")
    arguments = cast("dict[str, Any]", value)
    problem = await asyncio.to_thread(_problem, tool.spec.schema_json, arguments)
    if problem:
        raise _refused(tool, problem)
    return arguments


def check_schema(tool: Tool) -> None:
    """Blocks while `jsonschema` is imported. Raises InvalidRequest for a schema that is none."""
    try:
        _validator(tool.spec.schema_json)
    except ValueError as error:
        raise InvalidRequest(
            f"The tool {tool.name} cannot be offered", why=f"its schema is wrong {error}", todo="Mend it."
        ) from error


def _refused(tool: Tool, why: str) -> InvalidRequest:
    return InvalidRequest(
        f"{tool.name} was not run", why=f"its arguments are wrong: {why}", todo="Call it with others."
    )


def _problem(schema_json: str, arguments: dict[str, Any]) -> str:
    try:
        return _validator(schema_json)(arguments)
    except (ValueError, RecursionError) as error:
        return f"its schema is wrong: {error}"


@lru_cache(maxsize=256)
def _validator(schema_json: str) -> _Validate:
    """Raises ValueError for a schema that is none."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    schema: dict[str, Any] = json.loads(schema_json)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise ValueError(_at(error.absolute_path, error.message)) from error
    # An empty registry: a reference to somewhere else must not become a request over the network.
    validator = Draft202012Validator(schema, registry=Registry[Any]())

    def validate(arguments: dict[str, Any]) -> str:
        try:
            problem = next(iter(validator.iter_errors(arguments)), None)  # pyright: ignore[reportUnknownMemberType]
        except Unresolvable as error:
            raise ValueError(str(error)) from error
        return "" if problem is None else _at(problem.absolute_path, problem.message)

    return validate


def _at(path: Any, message: str) -> str:
    where = "/".join(map(str, path)) or "the top"
    return f"at {where}: {message}"[:_SHOWN]
