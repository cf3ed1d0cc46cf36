"""The log of a table and everything computed from it: seats, positions, decisions, views, records, fairness.

These modules are pure: they import games and the protocol's types, do no I/O, start no tasks and read no clock.
"""
