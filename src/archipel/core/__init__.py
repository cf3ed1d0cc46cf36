"""The contract that every game fulfils: games, states, actions, records, views, errors, randomness. Imports no game."""
