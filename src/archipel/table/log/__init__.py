"""The log of a table and everything that follows from it: seats, positions, decisions, views, records, fairness.

These modules are pure: they know games and the protocol's types, and do no I/O, start no task and read no clock.
"""
