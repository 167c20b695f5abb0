"""The slash commands there are: names and words only, so that a pop-up can show them at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """`argument` is what may follow the name, in words ("" for nothing); brackets mean that it may be left out."""

    name: str
    argument: str
    help: str


COMMANDS: tuple[SlashCommand, ...] = (
    SlashCommand("new", "[message]", "Begin a new conversation in this folder"),
    SlashCommand("resume", "[title]", "Go to an earlier session, of any client of Codex"),
    SlashCommand("fork", "[entry]", "Go on in a copy of this conversation; it stays as it is"),
    SlashCommand("revert", "[entry]", "Go back to before your last message, or an earlier one; files stay"),
    SlashCommand("rename", "title", "Give this conversation another title"),
    SlashCommand("archive", "", "Put this conversation away; it can be brought back"),
    SlashCommand("unarchive", "[title]", "Bring an archived conversation back"),
    SlashCommand("delete", "", "Delete this conversation at Codex, and show it no more"),
    SlashCommand("compact", "", "Have Codex sum up the conversation, to free its context"),
    SlashCommand(
        "review", "[branch | commit | words]", "Have your changes reviewed: uncommitted ones, or as said"
    ),
    SlashCommand("diff", "", "What is changed in the working tree"),
    SlashCommand("plan", "[message]", "Have Codex plan before it changes anything; again: no longer"),
    SlashCommand("goal", "[objective | pause | resume | clear]", "See or set what Codex works towards"),
    SlashCommand("model", "[model] [effort]", "Choose the model and how much it thinks"),
    SlashCommand("profile", "[profile]", "Choose what is allowed, asked or denied"),
    SlashCommand("mcp", "", "The MCP servers, their state and their tools"),
    SlashCommand("skills", "", "The skills that Codex has in this folder"),
    SlashCommand("status", "", "Codex, the account, and how this conversation runs"),
    SlashCommand("usage", "", "Context, tokens, and the limits of the account"),
    SlashCommand("export", "[file]", "Write this conversation to a file"),
    SlashCommand("copy", "", "Copy the last answer, as Markdown"),
    SlashCommand("history", "", "Search what you wrote before"),
    SlashCommand("init", "", "Have Codex write an AGENTS.md for this folder"),
    SlashCommand("theme", "[theme]", "Choose the colours"),
    SlashCommand("inbox", "", "All that waits for you, from every conversation"),
    SlashCommand("ledger", "", "Every decision, and what became of it"),
    SlashCommand("rules", "", "What is decided without you"),
    SlashCommand("settings", "", "Read and change the settings"),
    SlashCommand("keys", "", "Every key"),
    SlashCommand("login", "", "Sign in"),
    SlashCommand("logout", "", "Sign out of Codex on this machine"),
    SlashCommand("feedback-file", "[file]", "Write a file for a report; nothing is sent"),
    SlashCommand("quit", "", "Quit; what runs goes on"),
    SlashCommand("help", "", "How Quarterdeck is used"),
)
"""In the order in which they are shown."""

ALSO = {
    "exit": "quit",
    "clear": "new",
    "permissions": "profile",
    "approvals": "inbox",
    "sessions": "resume",
}
"""What other consoles call them."""

_BY_NAME = {command.name: command for command in COMMANDS}


def find(name: str) -> SlashCommand | None:
    """The command of that name, without its slash."""
    name = name.lower()
    return _BY_NAME.get(ALSO.get(name, name))
