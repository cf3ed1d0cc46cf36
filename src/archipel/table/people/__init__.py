"""People: sessions and their cookies, links that let others in, the server's password, the operator.

These modules know the tables that are played. They do not know HTTP or WebSocket.
"""
