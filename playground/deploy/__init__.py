"""What runs beside the playground on real machines: the reverse proxy's configuration and the containers' health checks."""
