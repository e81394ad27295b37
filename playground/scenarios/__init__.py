"""Scenarios: read from what people send, saved under names made from their content, varied, owned, collected in the gallery."""
