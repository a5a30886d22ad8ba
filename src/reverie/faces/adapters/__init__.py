"""Reverie as the memory of agent frameworks: one module and one optional extra for each framework."""
