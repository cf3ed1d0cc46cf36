"""The network: HTTP and WebSocket protocols, the API, conversations with browsers, pages and their security.

These modules may import all other rooms. No other room imports them; `archipel.table.serving` starts them.
"""
