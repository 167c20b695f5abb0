"""The sessions browser: every session on the machine, found, looked into and acted on."""
