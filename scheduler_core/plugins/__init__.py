"""The default plugins of kube-scheduler, one file each, over rows of the node table. Mirrors framework/plugins."""
