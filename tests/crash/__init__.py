"""Real conversations, killed with SIGKILL at random instants and at every named step, then checked.

`python -m tests.crash --kills 1000` runs the long one and prints its table; CI runs sixty kills. A seed is
printed with each campaign and replays it.
"""
