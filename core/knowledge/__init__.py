"""Documents that conversations draw on: kept by owner, searched, and put before a prompt."""
