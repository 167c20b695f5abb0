"""The Quarterdeck engine. It knows no terminal: `from core.engine import open_engine`."""
