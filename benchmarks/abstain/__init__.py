"""Knowing when it does not know: questions that the store can answer, and questions that it cannot."""
