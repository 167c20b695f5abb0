"""What a person said is found without reading what everybody else did."""

from __future__ import annotations

from typing import Final

SQL: Final = """
CREATE INDEX records_said ON records (box_type) WHERE box_type = 'user';
"""
