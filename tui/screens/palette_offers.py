"""What the console offers in the palette: in words, with the action that does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.transcript import safe

if TYPE_CHECKING:
    from tui.place import Place
    from tui.screens.console import ConsoleScreen

SHOWN = 60
"""Characters of a message that an offer names."""

ALWAYS = (
    ("New conversation", "new"),
    ("Show or hide the conversations", "listing"),
    ("Next conversation", "step(1)"),
    ("Previous conversation", "step(-1)"),
    ("End of the conversation", "newest"),
    ("Show or hide the inspector", "inspect"),
    ("What changed: in this turn, and in the working tree", "inspect('changes')"),
    ("The plan, and how far it got", "inspect('plan')"),
    ("Usage: context, tokens, and the limits of the account", "inspect('usage')"),
    ("Switch the model", "switch('model')"),
    ("Switch how much the model thinks (effort)", "switch('effort')"),
    ("Switch the profile: what is allowed, asked or denied", "switch('profile')"),
    ("Switch the colours (theme)", "switch('theme')"),
    ("Switch the sandbox and when Codex asks (approvals)", "switch('sandbox')"),
    ("Inbox: what waits for you, in every conversation", "over('inbox')"),
    ("Settings", "over('settings')"),
    ("Find in the conversation", "find"),
    ("Read what was taken back", "taken_back"),
    ("Sessions: every one on this machine, found by its words", "over('sessions')"),
    ("Rules: what is decided without you, and what would be", "over('rules')"),
    ("Ledger: every decision, and what became of it", "over('ledger')"),
    ("Find what you said before", "history"),
    ("Write the message in $EDITOR", "edit"),
    ("Undo in the message", "undo"),
    ("Redo in the message", "redo"),
    ("Every key", "help"),
    ("Quit: nothing that runs is stopped", "quit"),
)
"""What can always be done."""


def offered_now(console: ConsoleScreen) -> list[tuple[str, str]]:
    """What can be done only just now."""
    found: list[tuple[str, str]] = []
    place = console.desk.current if console.desk is not None else None
    if place is not None and place.running:
        found.append(("Interrupt the turn", "interrupt"))
    if place is not None:
        found += _of_place(place)
    if console.check_action("again", ()):
        found.append(("Run the stalled turn again, or go on from it", "again"))
    if console.check_action("answer", ()):
        found.append(("Answer what Codex asks", "answer"))
    return found


def _of_place(place: Place) -> list[tuple[str, str]]:
    """What can be done with messages that wait, and with commands that outlived their host."""
    found: list[tuple[str, str]] = []
    for number, entry in enumerate(place.waiting):
        text = safe.line(entry.text, SHOWN)
        found.append((f"Take back: {text}", f"take_back({entry.key!r})"))
        if number:
            found.append((f"Send before the others: {text}", f"send_first({entry.key!r})"))
    if place.conversation is not None and place.conversation.orphans:
        found.append(("End the commands that outlived their host", "end_orphans"))
    if place.parent is not None:
        found.append(("Go to the conversation of which this is a sub-agent", "parent"))
    return found
