"""Controllers around the scheduler that change what it sees."""
