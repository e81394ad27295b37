"""Runs: started, handed to the workers, simulated, kept as a log, and told to whoever watches."""
