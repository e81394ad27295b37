"""The gallery's claims, held against the engine."""
