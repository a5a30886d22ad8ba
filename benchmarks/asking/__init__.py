"""Asking: where the answers to a question lie, learned from questions whose answers are known (decision 0040)."""
