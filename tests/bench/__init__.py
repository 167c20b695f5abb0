"""Benchmarks: what is promised about speed, measured. `python -m tests.bench [NAME…]`."""
