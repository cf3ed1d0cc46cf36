"""Notices: telling people who are away that it is their turn, by push, webhook, mail and messengers, once per absence.

Turns are stored with the moves that bring them (`log.turns`); the courier turns them into notices in the outbox
(`storage.outbox`), and worker processes deliver these.
"""
