"""How what the bots know was learned: each module is one command that anybody can run again."""
