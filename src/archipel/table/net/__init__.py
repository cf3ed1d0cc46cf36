"""The network: the HTTP and WebSocket protocols, the API, conversations with browsers, pages and their security.

These modules may know all other rooms. No other room knows them; `archipel.table.serving` starts them.
"""
