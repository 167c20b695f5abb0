from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InvalidRequest
from core.tools.arguments import check_schema, parse_arguments
from core.tools.toolset import Arguments, Tool, ToolContext, Toolset, check_tools

OBJECT = {"type": "object"}


async def nothing(context: ToolContext, arguments: Arguments) -> str:
    return ""


def tool(name: str = "depth", schema: dict[str, object] | None = None) -> Tool:
    return Tool(name, "Measure the depth.", OBJECT if schema is None else schema, nothing)


@pytest.mark.parametrize(
    "name", ["", "two words", "a.b", "é", "a" * 129, "a\n", "exec_command", "web_search", "mcp__office__tide"]
)
def test_a_name_that_codex_would_misread_is_refused(name: str) -> None:
    with pytest.raises(InvalidRequest, match="cannot be offered"):
        Toolset("ours", (tool(name),))


def test_the_longest_name_is_taken() -> None:
    assert Toolset("ours", (tool("a-B_9" + "a" * 123),)).tools


def test_a_name_is_there_once_in_a_set_and_over_all_sets() -> None:
    with pytest.raises(InvalidRequest, match="two of that name"):
        Toolset("ours", (tool(), tool()))
    sets = Toolset("ours", (tool(),)), Toolset("theirs", (tool(),))
    with pytest.raises(InvalidRequest, match="two of that name"):
        check_tools([tool for part in sets for tool in part.tools])


@pytest.mark.parametrize("schema", [{}, {"type": "string"}, {"type": "object", "enum": {1}}])
def test_a_schema_that_is_not_of_an_object_in_json_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(InvalidRequest, match="schema"):
        check_tools([tool(schema=schema)])


def test_a_schema_that_is_none_is_told_with_its_place() -> None:
    wrong = tool(schema={"type": "object", "properties": {"at": {"type": "text"}}})
    with pytest.raises(InvalidRequest, match="properties/at/type"):
        check_schema(wrong)
    check_schema(tool())


def test_codex_is_told_the_schema_as_json() -> None:
    spec = tool(schema={"type": "object", "required": ["at"]}).spec
    assert (spec.name, spec.description) == ("depth", "Measure the depth.")
    assert json.loads(spec.schema_json) == {"type": "object", "required": ["at"]}


STRICT: dict[str, object] = {
    "type": "object",
    "properties": {"at": {"type": "string", "maxLength": 5}, "list": {"items": {"type": "integer"}}},
    "required": ["at"],
    "additionalProperties": False,
}


async def test_arguments_that_the_schema_allows_are_parsed() -> None:
    assert await parse_arguments(tool(schema=STRICT), '{"at": "bow", "list": [1]}') == {
        "at": "bow",
        "list": [1],
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a JSON object"),
        ("null", "not a JSON object"),
        ("{}", "'at' is a required property"),
        ('{"at": "far too long"}', "at at:"),
        ('{"at": "bow", "list": [1, "x"]}', "at list/1:"),
        ('{"at": "bow", "rm": 1}', "rm"),
    ],
)
async def test_arguments_that_the_schema_refuses_are_told_why(text: str, why: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        await parse_arguments(tool(schema=STRICT), text)
    assert why in refused.value.why
    assert len(str(refused.value)) < 500


async def test_a_schema_is_never_fetched_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text("{}")
    elsewhere = {"$ref": (tmp_path / "schema.json").as_uri()}
    remote = tool(schema={"type": "object", "properties": {"at": elsewhere}})
    with pytest.raises(InvalidRequest, match="its schema is wrong"):
        await parse_arguments(remote, '{"at": 1}')
