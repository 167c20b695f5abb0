"""The durable thread: boxes, the state machine over them, and what makes it survive (seed 000)."""
