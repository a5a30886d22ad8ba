"""Bending: by what curves a recall's signals should add, fitted on questions whose answers are known."""
