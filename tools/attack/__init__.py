"""Attacks on a user of Reverie, end to end: each in a home of its own, with the real command line, hook and server."""
