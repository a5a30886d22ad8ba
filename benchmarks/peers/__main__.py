"""``python -m benchmarks.peers``: one job on stdin, its answer on stdout."""

from __future__ import annotations

from benchmarks.peers.worker import main

if __name__ == "__main__":
    main()
