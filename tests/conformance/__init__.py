"""The engine held against what kube-scheduler v1.34.1 itself decided."""
