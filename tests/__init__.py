"""The tests. The one rule: this is a package, so that a folder such as tests/queue never stands in for the standard library's queue."""
