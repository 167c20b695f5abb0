"""The scripted model: a Responses API on loopback, for a Codex without an account or a network.

Behind `quarterdeck --demo` and under the tests. `scratch` is the way in: it starts the model (`process`, `server`)
and lays out a CODEX_HOME that points to it.
"""
