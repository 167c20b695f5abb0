"""Every session on the machine: what Codex lists, what is on disk, and our own conversations, in one index.

`model` is pure and light: the console builds on it. The rest brings SQLite in and is loaded with the engine.
"""
