"""What ``make run`` starts: a Redis if there is none, web, worker; keeps them alive and stops all of them."""
