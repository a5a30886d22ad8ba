"""Observability: the ops log, metrics and traces. Failures in here never reach the caller."""
