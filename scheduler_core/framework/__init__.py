"""What a plugin is and how the runner calls it. Mirrors pkg/scheduler/framework of kube-scheduler."""
