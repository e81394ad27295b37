"""What nodes do with the pods bound to them."""
