"""``python -m benchmarks train``: what the package has learned from labelled lives, learned anew."""
