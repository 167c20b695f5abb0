"""What Codex lists, what is on disk and what is in our database, side by side, and why each difference is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from core.sessions.disk import RolloutFile
from core.sessions.listing import facts_of_file
from core.sessions.model import Difference
from core.sessions.rows import Listed

OWN_PROGRAMS = frozenset({"cli", "vscode", "quarterdeck"})
"""The sources that Codex's own pickers show (ours count as an editor's); the others have to be asked for
(PROTOCOL, Threads)."""

ARCHIVED = "It is archived."
SUB_AGENT = "It is a sub-agent's; it belongs to the session that began it."
NOT_OPENED = "It was never opened here."
NOT_BEGUN = "It has no file yet: Codex writes one with the first turn."
FILE_GONE = "Codex lists it, and its file is gone."
ONLY_OURS = "Codex has it no more; what is here is our own record of it."


@dataclass(frozen=True, slots=True)
class Summary:
    """How many there are of each."""

    listed: int
    archived: int
    sub_agents: int
    left_out: int
    on_disk: int
    known: int

    @property
    def sentence(self) -> str:
        return (
            f"Codex lists {self.listed:,} ({self.archived:,} archived, {self.sub_agents:,} of sub-agents, "
            f"{self.left_out:,} that its own picker leaves out), {self.on_disk:,} files are on disk, "
            f"{self.known:,} are conversations here"
        )


def summary(listed: Mapping[str, Listed], files: Mapping[str, RolloutFile], known: Set[str]) -> Summary:
    threads = listed.values()
    return Summary(
        listed=len(listed),
        archived=sum(thread.archived for thread in threads),
        sub_agents=sum(thread.sub_agent for thread in threads),
        left_out=sum(
            not thread.sub_agent and not thread.archived and thread.source not in OWN_PROGRAMS
            for thread in threads
        ),
        on_disk=len(files),
        known=len(known),
    )


def compare(
    listed: Mapping[str, Listed],
    files: Mapping[str, RolloutFile],
    known: Set[str],
    writers: Mapping[str, str],
) -> tuple[Difference, ...]:
    """Every thread that is not in all three, what is wrong first. Blocks: files that are not listed are looked into.

    `known`: the threads of our conversations; `writers`: which process has a rollout file open, by its path.
    """
    found = [
        _difference(thread_id, listed.get(thread_id), files.get(thread_id), thread_id in known, writers)
        for thread_id in sorted({*listed, *files, *known})
        if not (thread_id in listed and thread_id in files and thread_id in known)
    ]
    return tuple(sorted((one for one in found if one.why), key=lambda one: not one.wrong))


def _difference(
    thread_id: str, listed: Listed | None, file: RolloutFile | None, known: bool, writers: Mapping[str, str]
) -> Difference:
    rollout = str(file.path) if file is not None else (listed.rollout if listed is not None else "")
    reasons = list(_reasons(listed, file, known))
    writer = writers.get(rollout)
    if writer and reasons:
        reasons.append((f"{writer} writes it now.", False))
    return Difference(
        thread_id=thread_id,
        rollout=rollout,
        listed=listed is not None,
        on_disk=file is not None,
        known=known,
        why=" ".join(why for why, _ in reasons),
        wrong=any(wrong for _, wrong in reasons),
    )


def _reasons(listed: Listed | None, file: RolloutFile | None, known: bool) -> Iterator[tuple[str, bool]]:
    """Each with whether something is wrong."""
    if listed is None:
        if file is None:
            yield ONLY_OURS, False
        elif why := facts_of_file(file).why:
            yield why, True
        return
    if file is None:
        yield (FILE_GONE, True) if listed.rollout else (NOT_BEGUN, False)
    if not known:
        if listed.sub_agent:
            yield SUB_AGENT, False
        elif listed.archived:
            yield ARCHIVED, False
        else:
            yield NOT_OPENED, False
