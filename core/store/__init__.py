"""What outlives the process: one SQLite file, written by one task, read beside it.

Only `rows` is light. Everything else here brings SQLite and pydantic in, so import it after the first
paint.
"""
