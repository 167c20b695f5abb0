"""The inspector beside the conversation: plan, changes, usage."""
