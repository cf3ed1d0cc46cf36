"""How long a test waits for what must happen: a busy machine is slow, and only what never happens is a failure."""

PATIENCE = 600.0
"""Seconds."""
