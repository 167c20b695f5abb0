"""Slash commands: their catalog, and what each does."""
