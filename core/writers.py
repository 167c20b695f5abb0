"""Who writes a conversation, where it is not this console. Pure, and light to import: the first paint needs it."""

from __future__ import annotations

IMPORTED = "imported"
"""What stands for the writer of an imported conversation: nobody writes it."""
