"""Conflicts: decide whether a later statement replaces or takes back an earlier one."""
