"""The cluster as a table: one row for each node, one slot for each pod, columns in NumPy; the only mutable world."""
