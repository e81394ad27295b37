"""Tests of the cycle: filter, score, choose."""
