"""Consolidation (the dream): the steps that change formed memories between conversations. All are pure functions."""
