"""The contract: games, states, actions, records, views, errors, randomness. Knows no game."""
