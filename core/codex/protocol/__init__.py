"""What goes over the wire, typed: one frozen model a message, with the fields that we read or send.

Lenient on purpose: fields that we do not know are ignored, fields that may be missing have a default, and
enums are plain text, for a newer Codex will send other ones (PROTOCOL, Framing). The models are compared
with the schema that the binary itself prints in tests/core/codex/test_contract.py.
"""
