"""One scheduling cycle: filter, score, select. Mirrors pkg/scheduler/schedule_one.go."""
