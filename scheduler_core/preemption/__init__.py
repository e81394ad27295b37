"""Preemption in its six steps. Mirrors framework/preemption and plugins/defaultpreemption of kube-scheduler."""
