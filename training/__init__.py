"""Training of the bots' knowledge: each module is one command that anyone can run again."""
