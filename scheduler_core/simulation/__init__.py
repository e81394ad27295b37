"""A scheduler and a simple cluster under a virtual clock."""
