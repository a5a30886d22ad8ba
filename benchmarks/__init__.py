"""Benchmarks that anyone can run on their own files: ``python -m benchmarks --help``."""
