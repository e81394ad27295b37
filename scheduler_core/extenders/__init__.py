"""Extenders that answer inside the engine; one that answers over HTTP is injected by whoever may use the network."""
