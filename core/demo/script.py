"""What the scripted model does, written as a message.

A message whose first line is a directive is a script: its directives are the steps of the turn, in order.
Lines below a directive that are not directives themselves are its body. A body line that must begin with
`/` or `\\` is written with a `\\` before it.

    /say TEXT             answer text, Markdown; the body belongs to it
    /stream N [at R]      N numbered words; R words a second (default: the server's own pace)
    /think TEXT           a reasoning summary; blank lines in the body separate its parts
    /wait SECONDS         silence in the middle of the stream
    /hold NAME            silence until somebody releases NAME (`ModelProcess.release`)
    /run CMD              run a command in the sandbox; the body continues it
    /run! CMD             the same with `require_escalated`: Codex asks for approval
    /background CMD       start a command on a terminal and do not wait for it
    /type TEXT            type TEXT and Enter into the last command that still ran
    /patch BODY           apply a patch; `*** Begin Patch` and `*** End Patch` are added where missing
    /ask QUESTION | OPTION: DESCRIPTION | …
                          request_user_input; every further line of the body is another question
    /permissions RIGHT, RIGHT…
                          ask for `network`, `read PATH`, `write PATH`
    /plan STEP | STEP…    update_plan; a leading `x ` marks a finished step and `> ` the current one
    /mcp SERVER TOOL [JSON]
    /tool NAME [JSON]     any tool by its name: a dynamic tool, view_image, clock.sleep (NAMESPACE.NAME) …
    /agent MESSAGE        start a sub-agent; MESSAGE may be a script (escape its directives in the body)
    /join                 wait until the next sub-agent of this turn has ended
    /search QUERY         a web search by the provider
    /fail HOW             429, 500, 503, context, quota or cut; the turn ends there

A tool call ends the model's response: what follows comes in the next one, with the tool's output known.
`/+run CMD` (and so on for each tool) puts the call in the same response as the one before.

In the text of a /say, `{{output}}` is what the last tool gave back; `{{hold NAME}}`, `{{wait SECONDS}}` and
`{{fail HOW}}` do in the middle of it what the directives do between two steps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.demo.steps import (
    Call,
    Fail,
    Failure,
    Hold,
    Join,
    Say,
    Search,
    Step,
    Stream,
    Think,
    ToolStep,
    Type,
    Wait,
)
from core.errors import InvalidRequest

JUSTIFICATION = "This needs to run outside the sandbox. May it?"
PERMISSIONS_REASON = "The script needs more than the sandbox gives."

_DIRECTIVE = re.compile(r"/(?P<plus>\+?)(?P<name>[a-z]+!?)(?:[ \t]+(?P<rest>.*))?$")
_STREAM = re.compile(r"(\d+)(?:\s+words?)?(?:\s+at\s+(\d+(?:\.\d+)?)(?:\s+per\s+second)?)?$")


def is_script(text: str) -> bool:
    """Whether the first line is a directive. A message about `/usr/bin` is not a script."""
    first = _DIRECTIVE.match(text.lstrip().partition("\n")[0].rstrip())
    return first is not None and first["name"] in _BUILDERS


def parse_script(text: str) -> tuple[Step, ...]:
    """The steps of a script. Raises InvalidRequest with the line that is wrong, from 1 at the first with text."""
    return tuple(_build(block) for block in _blocks(text.lstrip()))


@dataclass(frozen=True, slots=True)
class _Block:
    """One directive: where it stands, its name, the rest of its line, its body."""

    line: int
    name: str
    joined: bool
    rest: str
    body: tuple[str, ...]

    @property
    def text(self) -> str:
        """Rest and body as one text."""
        return "\n".join((self.rest, *self.body) if self.rest else self.body)


def _blocks(text: str) -> Iterator[_Block]:
    head: re.Match[str] | None = None
    start = 0
    body: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        found = _DIRECTIVE.match(line.rstrip())
        if found is None:
            if head is None and line.strip():
                raise _wrong(number, "text before the first directive")
            body.append(line[1:] if line.startswith("\\") else line)
            continue
        if head is not None:
            yield _block(start, head, body)
        head, start, body = found, number, []
    if head is None:
        raise _wrong(1, "no directive")
    yield _block(start, head, body)


def _block(line: int, head: re.Match[str], body: list[str]) -> _Block:
    while body and not body[-1].strip():
        body.pop()
    return _Block(line, head["name"], bool(head["plus"]), (head["rest"] or "").strip(), tuple(body))


def _build(block: _Block) -> Step:
    builder = _BUILDERS.get(block.name)
    if builder is None:
        raise _wrong(block.line, f"no directive is called /{block.name}")
    step = builder(block)
    if block.joined and not isinstance(step, ToolStep):
        raise _wrong(block.line, f"/{block.name} is no tool call, so it cannot be joined with +")
    return step


def _wrong(line: int, why: str) -> InvalidRequest:
    return InvalidRequest(
        f"The script cannot be read at line {line}",
        why=why,
        todo="See core/demo/script.py for the directives",
    )


def _call(block: _Block, name: str, arguments: object, namespace: str | None = None) -> Call:
    return Call(name, json.dumps(arguments, ensure_ascii=False), namespace, block.joined)


def _needed(block: _Block, what: str) -> str:
    if not block.text.strip():
        raise _wrong(block.line, f"/{block.name} needs {what}")
    return block.text


def _stream(block: _Block) -> Step:
    found = _STREAM.match(block.rest)
    if found is None:
        raise _wrong(block.line, "/stream wants a number of words, and perhaps `at` a number a second")
    rate = float(found[2]) if found[2] else None
    if rate == 0:
        raise _wrong(block.line, "no words a second would never end")
    return Stream(int(found[1]), rate)


def _think(block: _Block) -> Step:
    parts = re.split(r"\n\s*\n", _needed(block, "something to think"))
    return Think(tuple(part.strip("\n") for part in parts if part.strip()))


def _wait(block: _Block) -> Step:
    try:
        seconds = float(block.rest)
    except ValueError as error:
        raise _wrong(block.line, f"/wait wants seconds, not {block.rest!r}") from error
    if not 0 <= seconds <= 3600:
        raise _wrong(block.line, "/wait takes 0 to 3600 seconds")
    return Wait(seconds)


def _run(block: _Block) -> Step:
    return _call(block, "exec_command", {"cmd": _needed(block, "a command")})


def _run_escalated(block: _Block) -> Step:
    arguments = {
        "cmd": _needed(block, "a command"),
        "sandbox_permissions": "require_escalated",
        "justification": JUSTIFICATION,
    }
    return _call(block, "exec_command", arguments)


def _background(block: _Block) -> Step:
    arguments = {"cmd": _needed(block, "a command"), "tty": True, "yield_time_ms": 250}
    return _call(block, "exec_command", arguments)


def _patch(block: _Block) -> Step:
    body = _needed(block, "a patch").strip("\n")
    if not body.startswith("*** Begin Patch"):
        body = f"*** Begin Patch\n{body}"
    if not body.endswith("*** End Patch"):
        body = f"{body}\n*** End Patch"
    end = "PATCH"
    while end in body.split("\n"):
        end += "_"
    return _call(block, "exec_command", {"cmd": f"apply_patch <<'{end}'\n{body}\n{end}"})


def _ask(block: _Block) -> Step:
    lines = [line for line in _needed(block, "a question").split("\n") if line.strip()]
    return _call(
        block, "request_user_input", {"questions": [_question(block, n, q) for n, q in enumerate(lines, 1)]}
    )


def _question(block: _Block, number: int, line: str) -> dict[str, object]:
    question, *options = (part.strip() for part in line.split("|"))
    if not options:
        raise _wrong(block.line, f"the question {question!r} has no options: `QUESTION | OPTION | OPTION`")
    return {
        "id": f"question_{number}",
        "header": f"Question {number}",
        "question": question,
        "options": [_option(option) for option in options],
    }


def _option(text: str) -> dict[str, str]:
    label, _, description = text.partition(":")
    return {"label": label.strip(), "description": description.strip() or label.strip()}


def _permissions(block: _Block) -> Step:
    network: dict[str, object] = {}
    paths: dict[str, list[str]] = {}
    for right in _needed(block, "rights").split(","):
        verb, _, path = right.strip().partition(" ")
        if verb == "network" and not path:
            network = {"network": {"enabled": True}}
        elif verb in ("read", "write") and path.strip():
            paths.setdefault(verb, []).append(path.strip())
        else:
            raise _wrong(block.line, f"{right.strip()!r} is not `network`, `read PATH` or `write PATH`")
    files = {"file_system": paths} if paths else {}
    return _call(
        block, "request_permissions", {"reason": PERMISSIONS_REASON, "permissions": {**network, **files}}
    )


_PLAN_MARKS = {"x ": "completed", "> ": "in_progress"}


def _plan(block: _Block) -> Step:
    steps = [part.strip() for part in re.split(r"[|\n]", _needed(block, "steps")) if part.strip()]
    plan = [
        {"step": step[2:], "status": _PLAN_MARKS[step[:2]]}
        if step[:2] in _PLAN_MARKS
        else {"step": step, "status": "pending"}
        for step in steps
    ]
    return _call(block, "update_plan", {"plan": plan})


def _json_call(block: _Block, name: str, text: str, namespace: str | None = None) -> Call:
    try:
        arguments: object = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise _wrong(block.line, f"the arguments of {name} are not JSON: {error}") from error
    return _call(block, name, arguments, namespace)


def _tool(block: _Block) -> Step:
    full, _, arguments = _needed(block, "a tool's name").partition(" ")
    namespace, _, name = full.strip().rpartition(".")
    return _json_call(block, name, arguments, namespace or None)


def _mcp(block: _Block) -> Step:
    words = block.text.split(maxsplit=2)
    if len(words) < 2:
        raise _wrong(block.line, "/mcp wants a server, a tool and perhaps JSON")
    return _json_call(block, words[1], words[2] if len(words) > 2 else "", f"mcp__{words[0]}")


def _agent(block: _Block) -> Step:
    return _call(block, "spawn_agent", {"message": _needed(block, "a message")}, "multi_agent_v1")


def _fail(block: _Block) -> Step:
    if block.rest not in list(Failure):
        raise _wrong(block.line, f"/fail knows {', '.join(Failure)}; not {block.rest!r}")
    return Fail(Failure(block.rest))


_BUILDERS: dict[str, Callable[[_Block], Step]] = {
    "say": lambda block: Say(_needed(block, "a text")),
    "stream": _stream,
    "think": _think,
    "wait": _wait,
    "hold": lambda block: Hold(_needed(block, "a name")),
    "run": _run,
    "run!": _run_escalated,
    "background": _background,
    "type": lambda block: Type(block.text, block.joined),
    "patch": _patch,
    "ask": _ask,
    "permissions": _permissions,
    "plan": _plan,
    "tool": _tool,
    "mcp": _mcp,
    "agent": _agent,
    "join": lambda block: Join(block.joined),
    "search": lambda block: Search(_needed(block, "a query")),
    "fail": _fail,
}
