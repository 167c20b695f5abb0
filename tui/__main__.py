"""`python -m tui` is `quarterdeck`."""

from tui.cli import main

main()
