"""Tables that are played now: live tables, the sockets around them, bots, chance outcomes, several worker processes.

These modules know the log and the storage. They do not know HTTP or WebSocket, nor cookies and links.
"""
