"""The web project: a thin Django around scheduler_core, which it enters only through :mod:`playground.engine`."""
