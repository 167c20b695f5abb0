"""Who may do what: profiles, and what is bound to a run."""
