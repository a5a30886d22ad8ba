"""``python -m benchmarks.screen``."""

from __future__ import annotations

import argparse
import sys

from benchmarks.screen.commands import options, run

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screen")
    options(parser)
    run(parser.parse_args(), sys.argv[1:])
