"""The scheduling queue: active, backoff, unschedulable and gated pods, nominations, and the hints that move them."""
