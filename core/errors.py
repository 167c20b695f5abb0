"""Every error that Quarterdeck raises on purpose.

QuarterdeckError
├── InvalidRequest        the caller asked for something malformed
├── Conflict              somebody else moved first (stale handle, decided notification, other writer)
├── InvalidState          records contradict each other; a bug or a damaged file
├── NotFound              no such workspace, conversation, notification, file
├── Closed                the thing was closed while we were asked
├── DeadlineElapsed       the time given ran out
├── Unsupported           the policy or this Codex does not do that
├── Unauthorized          the profile does not allow it
├── AnswerMismatch        the answer is not of the shape that was asked for; keeps its text
├── SettingsError         config.toml cannot be used; says line and key
├── TransitionError       a command that the thread's state forbids; nothing was changed
│   ├── WrongJob          the number is not the active job's
│   ├── UnknownCall       no such tool call in this conversation
│   ├── StaleSteer        job, arrivals or watermark moved since the steer was prepared
│   ├── NotStalled        restart of a thread that is not stalled
│   └── NotRestartable    Codex accepted an action in the failed job
├── StoreError
│   ├── StoreLocked       another process holds the database
│   ├── StoreTooNew       written by a newer Quarterdeck
│   ├── StoreDamaged      SQLite cannot read it
│   └── SequenceConflict  another writer appended to this conversation first
└── CodexError
    ├── CodexNotFound     no Codex binary
    ├── CodexTooOld       the binary is older than what we speak
    ├── HostUnavailable   the host does not start or does not answer
    ├── ConnectionLost    the other side went away; every waiter gets this
    ├── CallTimedOut      no answer in time
    └── CallRefused       Codex answered with an error (code, message)

Each says what happened, why, and what to do about it, in that order and in plain words.
"""

from __future__ import annotations


class QuarterdeckError(Exception):
    """Base of the tree.

    `what` is one sentence on what did not happen; `why` the cause, as far as known; `todo` what the
    person can do now. `str()` joins them for a log or a status line.
    """

    def __init__(self, what: str, *, why: str = "", todo: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.todo = todo

    def __str__(self) -> str:
        return " ".join(_sentence(part) for part in (self.what, self.why, self.todo) if part)


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


class InvalidRequest(QuarterdeckError):
    """The caller asked for something malformed."""


class Conflict(QuarterdeckError):
    """Somebody else moved first."""


class InvalidState(QuarterdeckError):
    """Records contradict each other."""


class NotFound(QuarterdeckError):
    """There is no such thing."""


class Closed(QuarterdeckError):
    """It was closed."""


class DeadlineElapsed(QuarterdeckError):
    """The time given ran out."""


class Unsupported(QuarterdeckError):
    """The policy or this Codex does not do that."""


class Unauthorized(QuarterdeckError):
    """The profile does not allow it."""


class AnswerMismatch(QuarterdeckError):
    """The answer is not of the shape that was asked for. `text` is the answer, whole."""

    def __init__(self, why: str, text: str) -> None:
        super().__init__(
            "The answer does not have the shape that was asked for", why=why, todo="Its text is kept."
        )
        self.text = text


class SettingsError(QuarterdeckError):
    """config.toml cannot be used."""


class TransitionError(QuarterdeckError):
    """A command that the thread's state forbids. Nothing was changed."""


class WrongJob(TransitionError):
    """The job number is not the active one's."""


class UnknownCall(TransitionError):
    """No such tool call in this conversation."""


class StaleSteer(TransitionError):
    """Job, arrivals or watermark moved since the steer was prepared."""


class NotStalled(TransitionError):
    """Only a stalled thread can be restarted."""


class NotRestartable(TransitionError):
    """Codex accepted an action in the failed job: running it again could do it twice."""


class StoreError(QuarterdeckError):
    """The database could not do it."""


class StoreLocked(StoreError):
    """Another process holds the database."""


class StoreTooNew(StoreError):
    """Written by a newer Quarterdeck."""


class StoreDamaged(StoreError):
    """SQLite cannot read the file."""


class SequenceConflict(StoreError):
    """Another writer appended to this conversation first."""


class CodexError(QuarterdeckError):
    """Codex could not do it."""


class CodexNotFound(CodexError):
    """There is no Codex binary."""


class CodexTooOld(CodexError):
    """The binary is older than what we speak."""


class HostUnavailable(CodexError):
    """The host does not start or does not answer."""


class ConnectionLost(CodexError):
    """The other side went away."""


class CallTimedOut(CodexError):
    """Codex did not answer in time."""


class WrittenElsewhere(CodexError):
    """Another process writes the thread (PROTOCOL, Transports): here it can only be read until that one ends."""


class CallRefused(CodexError):
    """Codex answered a call with an error.

    `code` and `message` are Codex's own (PROTOCOL: -32600 bad request, -32603 internal, -32001
    overloaded).
    """

    def __init__(self, method: str, code: int, message: str, *, todo: str = "") -> None:
        super().__init__(f"Codex refused {method}", why=message, todo=todo)
        self.method = method
        self.code = code
        self.message = message


class NoRollout(CallRefused):
    """Codex has nothing of a thread: before its first turn (PROTOCOL, Threads), or any more."""
