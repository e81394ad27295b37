"""Tests of reading Kubernetes objects."""
