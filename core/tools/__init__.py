"""Tools of ours that Codex may call."""
