"""Slash commands that have Codex do something, and the diff of what was done."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.agent.operations import AgainstBranch, Goal, InWords, OfCommit, ReviewTarget, Uncommitted
from core.errors import InvalidRequest
from tui.inspector.git import branches_of, commits_of, read_all, read_tree
from tui.screens.pick import Pick, PickScreen
from tui.transcript import safe

if TYPE_CHECKING:
    from tui.desk import Desk
    from tui.screens.console import ConsoleScreen

_SHA = re.compile(r"[0-9a-fA-F]{7,40}")
COMMITS = 30

INIT = """\
Write an AGENTS.md at the root of this repository: a short guide for coding agents who will work here.

Look around first. Then say, in at most 60 lines of Markdown: what the project is and how its folders are laid out; \
how to build, test, lint and run it, with the commands; the conventions that its code keeps to (style, naming, \
tests, commits); and what to take care of. Only what you have seen here, nothing general. \
If there is an AGENTS.md already, improve it and keep what is right in it."""


async def compact(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    del argument
    if desk.current.id is None:
        raise InvalidRequest("There is nothing to sum up yet", todo="Send a message first.")
    await desk.engine.operations.compact(desk.current.id)


async def review(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    target = await _target(desk, argument) if argument else await _picked(console, desk)
    if target is not None:
        await desk.engine.operations.review(await desk.begin_now(desk.current), target)
        console.show_place()


async def _target(desk: Desk, argument: str) -> ReviewTarget:
    """A branch that there is, a commit, or words."""
    if argument in ("uncommitted", "changes"):
        return Uncommitted()
    if argument in await branches_of(desk.current.path):
        return AgainstBranch(argument)
    return OfCommit(argument) if _SHA.fullmatch(argument) else InWords(argument)


async def _picked(console: ConsoleScreen, desk: Desk) -> ReviewTarget | None:
    path = desk.current.path
    picks = [Pick("uncommitted", "uncommitted changes", "staged, unstaged and untracked")]
    picks += [Pick(f"branch {name}", name, group="Against a branch") for name in await branches_of(path)]
    picks += [
        Pick(f"commit {sha}", sha, subject, group="A commit")
        for sha, subject in await commits_of(path, COMMITS)
    ]
    chosen = await console.app.push_screen_wait(PickScreen("Have what reviewed?", picks))
    kind, _, name = (chosen or "").partition(" ")
    match kind:
        case "uncommitted":
            return Uncommitted()
        case "branch":
            return AgainstBranch(name)
        case "commit":
            return OfCommit(name)
        case _:
            return None


async def diff(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    from tui.screens.diff import DiffScreen

    tree = await read_tree(desk.current.path, 0)
    if tree is None:
        raise InvalidRequest(
            "There is no diff of this folder", why="it is in no git repository", todo="Run `git init` in it."
        )
    files = await read_all(tree)
    if not files:
        console.notices.tell("Nothing is changed since the last commit.")
        return
    more = f", and {tree.more} files more" if tree.more else ""
    console.app.push_screen(DiffScreen(f"Changed since the last commit{more}", files))


async def plan(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    """Without a message it is switched; with one it is on from that message."""
    place = desk.current
    wanted = None if argument == "" else argument != "off"
    selected = console.selected()
    model = selected.model if selected is not None else ""
    if not model:
        raise InvalidRequest(
            "The mode was not changed", why="Codex has not told its model yet", todo="Try again."
        )
    if await desk.engine.operations.plan_first(await desk.begin_now(place), model, on=wanted):
        console.notices.tell(
            "From the next turn on Codex plans before it changes anything; /plan again ends that.",
            topic="plan",
        )
    else:
        console.notices.tell("From the next turn on Codex works without a plan first.", topic="plan")
    if argument not in ("off", "", "on"):
        console.composer.send_besides(place.writing, argument, place.writing.parts.expand(argument)[1])


async def goal(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    operations = desk.engine.operations
    match argument:
        case "":
            found = await operations.goal(desk.current.id) if desk.current.id is not None else None
            console.notices.tell(_goal_words(found) if found else "No goal is set; /goal OBJECTIVE sets one.")
        case "clear":
            cleared = desk.current.id is not None and await operations.clear_goal(desk.current.id)
            console.notices.tell("The goal is cleared." if cleared else "No goal was set.")
        case "pause" | "resume":
            if desk.current.id is None:
                raise InvalidRequest("No goal is set", todo="/goal OBJECTIVE sets one.")
            status = "paused" if argument == "pause" else "active"
            console.notices.tell(_goal_words(await operations.set_goal(desk.current.id, status=status)))
        case objective:
            conversation_id = await desk.begin_now(desk.current)
            console.notices.tell(_goal_words(await operations.set_goal(conversation_id, objective, "active")))


def _goal_words(goal: Goal) -> str:
    budget = f" of {goal.token_budget:,}" if goal.token_budget is not None else ""
    spent = f"{goal.tokens_used:,}{budget} tokens, {goal.seconds_used // 60} min"
    return f"Goal ({goal.status}): {safe.line(goal.objective, 300)} · {spent}"


async def init(console: ConsoleScreen, desk: Desk, argument: str) -> None:
    console.composer.send_besides(desk.current.writing, INIT)
