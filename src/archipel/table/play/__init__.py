"""Running tables: live tables, their sockets, bots, chance outcomes, several worker processes.

These modules import the log and the storage, but nothing about HTTP, WebSocket, cookies or links.
"""
