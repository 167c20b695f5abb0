"""The Codex client: finds or starts a host, speaks its protocol, and turns it into `core.agent`'s words.

`client.CodexAgent` is the way in; `options` is light, everything else brings pydantic and websockets in,
so import it after the first paint.
"""
