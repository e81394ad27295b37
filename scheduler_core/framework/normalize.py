"""Normalising scores. Mirrors plugins/helper/normalize_score.go."""

from __future__ import annotations

from scheduler_core.framework.interface import MAX_NODE_SCORE, IntArray


def default_normalize(raw: IntArray, *, reverse: bool = False) -> IntArray:
    """Scale so that the highest raw score becomes 100, with integer division; ``reverse`` makes the lowest the best."""
    highest = int(raw.max()) if len(raw) else 0
    if highest == 0:
        return raw + MAX_NODE_SCORE if reverse else raw.copy()
    scaled = MAX_NODE_SCORE * raw // highest
    return MAX_NODE_SCORE - scaled if reverse else scaled
