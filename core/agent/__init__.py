"""What the engine and an agent say to each other, in our own words.

Pure: no I/O, no clock, no asyncio. `core.codex` translates the wire into these values and back; the
conversation layer knows nothing else about Codex.
"""
