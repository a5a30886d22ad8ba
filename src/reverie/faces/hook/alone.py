"""A hook call without a background process: from the host's JSON on standard input to its answer, in this process.

For systems without ``fork`` and Unix sockets, which is Windows. The engine is loaded for each call, which takes as long
as the first one does elsewhere; what a call brings is kept before the process ends.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from reverie.faces.hook.client import STDIN_MAX, frame, log, options, version
from reverie.faces.hook.frames import parse


def main(argv: list[str]) -> int:
    """Serve one call of a host; always returns 0, and the log says why nothing was answered. ``argv`` as in client."""
    stamp = f"{time.time_ns():020d}-{os.getpid()}"
    try:
        _serve([b"version=" + version().encode(), b"stamp=" + stamp.encode(), *options(argv)])
    except Exception as fault:  # noqa: BLE001 -- the agent's loop must never break; the log tells
        log(f"alone: failed: {type(fault).__name__}")
    return 0


def _serve(head: list[bytes]) -> None:
    said = sys.stdin.buffer.read(STDIN_MAX + 1)
    if len(said) > STDIN_MAX:
        log("the standard input is too large")
        return
    from reverie.faces.hook.answers import HookServing

    variables = [b"env=" + os.fsencode(f"{name}={value}") for name, value in os.environ.items()]
    call = parse(frame([*head, b"cwd=" + os.fsencode(Path.cwd()), *variables], said))
    serving = HookServing(log)
    try:
        found = serving.answer(call)
        sys.stdout.buffer.write(found.said)
        sys.stdout.buffer.flush()
        found.delivered()
        if not serving.keep(call):
            log("a call was not kept, and no background process here tries again")
    finally:
        serving.close()
