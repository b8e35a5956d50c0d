"""The HTTP API under /v1, one file for each thing it is about."""
