"""What can be taken away: events, traces, objects for kubectl, a storyboard."""
