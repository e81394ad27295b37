"""Sharing: links, steps, embeds, comparison, owners, retention."""
