"""Memory systems of others, each driven as its documentation says, in an environment of their own (``make peers``).

Nothing here imports Reverie or numpy: the code runs where neither is installed. ``benchmarks.systems.peer`` is the
other end of the pipe.
"""
