"""Preemption held against itself: what is kept, what is walked, and what is asked of all rows at once."""
