"""What is measured, and how: ``make bench`` runs it all. Nothing here asserts a time; machines are noisy."""
