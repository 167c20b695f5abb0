"""The index of sessions: a database of its own beside the store's, which can be deleted and is made again.

It is apart so that its heavy writes never stand before a durable write of a conversation, and need no fsync.
"""
