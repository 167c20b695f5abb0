"""Conversations as files: Markdown, HTML and JSON Lines, and JSON Lines back."""
