"""Why a person is asked, kept with what is asked."""

from __future__ import annotations

from typing import Final

# grounds: JSON; as it was when the request was raised, for whoever shows it later.
SQL: Final = """
ALTER TABLE notifications ADD COLUMN grounds TEXT NOT NULL DEFAULT '{}';
"""
