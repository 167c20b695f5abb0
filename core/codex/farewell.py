"""How a host ends: at quit, if it is ours and nobody needs it, and on a person's command (DESIGN, Host).

A host that we started is ended at quit when nothing is lost by it: no turn runs, no request waits, no
command runs on in the background, and nobody else is there. Ending is one SIGTERM, after which a host still
finishes its turns (seen on 0.163): one that begins this very moment is not cut off.

Consoles let go of a host one after the other, under the lock that they start one with: two at once would
each see the other there, and leave it to nobody.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from core.codex.host import Host
from core.codex.link import Link
from core.codex.options import ControlSocket, HostOptions
from core.codex.standing import Standing
from core.codex.status import ASK_SECONDS, HostStatus, status_of, visit_for_status
from core.errors import CodexError, Conflict, ConnectionLost, HostUnavailable, Unsupported
from core.process import ProcessId, end, identify, listener_at

END_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Released:
    """What became of the host at quit. `reason` says why it stays; "" if it was ended, or none was there."""

    ended: bool
    reason: str = ""


async def release(host: Host, link: Link, ours: frozenset[str]) -> Released:
    """Let go of the host, and end it if it is ours and nobody needs it."""
    try:
        return await _release_met(host, link, ours)
    except ConnectionLost:
        await link.close()
        return await _release_unmet(host)


async def _release_met(host: Host, link: Link, ours: frozenset[str]) -> Released:
    """Raises ConnectionLost where the connection stands no more."""
    standing = link.standing
    if standing.attached.private:
        await link.close()
        return Released(ended=True)
    try:
        async with host.record.start_lock(END_SECONDS):
            reason = await _why_it_stays(standing, ours)
            await link.close()
            return await _let_go(host, standing, reason)
    except HostUnavailable as error:
        await link.close()
        return Released(ended=False, reason=f"The Codex host was not asked what it does: {error}")


async def _release_unmet(host: Host) -> Released:
    """Of a host that we are not connected to: it may be one that we had started and not met yet."""
    if not isinstance(host.options.mode, ControlSocket):
        return Released(ended=False)
    try:
        async with host.record.start_lock(END_SECONDS):
            visited = await visit_for_status(host)
            if visited is None:
                return Released(ended=False)
            standing, status = visited
            return await _let_go(host, standing, _not_ours(standing) or status.busy())
    except CodexError as error:
        return Released(ended=False, reason=f"The Codex host does not say what it does: {error}")


async def _let_go(host: Host, standing: Standing, reason: str) -> Released:
    if reason or standing.process is None:
        return Released(ended=False, reason=reason)
    if not await end(standing.process, forced=False, seconds=END_SECONDS):
        return Released(ended=False, reason="The Codex host finishes a turn before it ends")
    host.record.forget(standing.process)
    host.collect()
    return Released(ended=True)


def _not_ours(standing: Standing) -> str:
    if standing.process is None:
        return "The Codex host runs elsewhere"
    if not standing.started_by_us:
        return "The Codex host was started by another program"
    return ""


async def _why_it_stays(standing: Standing, ours: frozenset[str]) -> str:
    """ "" if it need not. Raises ConnectionLost."""
    reason = _not_ours(standing)
    if reason:
        return reason
    try:
        async with asyncio.timeout(ASK_SECONDS):
            status = await status_of(standing)
    except ConnectionLost:
        raise
    except (CodexError, TimeoutError) as error:
        return f"The Codex host does not say what it does: {error or 'no answer came'}"
    return status.busy(ours)


async def stop_host(options: HostOptions, *, force: bool = False) -> HostStatus | None:
    """For `quarterdeck host stop`: end the host that runs, whoever started it; None if none runs.

    Gives what it was. Raises Conflict if it is still needed, Unsupported if it is no process of this
    machine. `force` ends it at once, with all that runs in it, and even if it does not answer any more.
    """
    host = Host(options)
    try:
        visited = await visit_for_status(host)
    except CodexError:
        if not force or not await _end_silent_host(host):
            raise
        return None
    if visited is None:
        return None
    standing, status = visited
    reason = "" if force else status.busy()
    if reason:
        raise Conflict("The Codex host was not ended", why=reason, todo="End that first, or use --force.")
    if standing.process is None:
        why = "it does not run on this machine"
        raise Unsupported("The Codex host was not ended", why=why, todo="End it there.")
    await _end(host, standing.process, force)
    return status


async def _end_silent_host(host: Host) -> bool:
    """End who listens at the control socket without asking it anything. False if nobody does."""
    if not isinstance(host.options.mode, ControlSocket):
        return False
    pid = listener_at(host.control_socket)
    process = identify(pid) if pid is not None else None
    if process is None:
        return False
    await _end(host, process, force=True)
    return True


async def _end(host: Host, process: ProcessId, force: bool) -> None:
    try:
        gone = await end(process, forced=force, seconds=END_SECONDS)
    except PermissionError as error:
        raise Unsupported("The Codex host was not ended", why="it is another user's process") from error
    if not gone:
        raise Conflict(
            "The Codex host has not ended yet", why="it finishes a turn first", todo="Wait, or use --force."
        )
    host.record.forget(process)
