"""What a person does with a conversation besides talking in it, and what Codex tells of itself when asked.

`operations.Operations` is the door (`engine.operations`). What takes a record and a call is begun in the
journal first, so that after a crash the next start finishes it or says that it failed.
"""
