"""Conversations: seed 002 on the durable thread."""
