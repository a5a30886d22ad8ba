"""Detect conflicts: whether a later statement replaces or retracts an earlier one."""
