"""People: sessions and their cookies, links that let others in, the server's password, the operator.

These modules import the running tables, but nothing about HTTP or WebSocket.
"""
