"""The whole table under one seed: workers, sockets, database, Redis and clocks in one process and in simulated time."""
