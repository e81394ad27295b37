"""What stands around every request: how large it may be, who asks, in which language, and in which form errors leave."""
