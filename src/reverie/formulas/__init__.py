"""Formulas of memory and retrieval as pure functions: no input or output, no clock, no random numbers."""
