"""The API, ``/api/v1``, and its description."""
