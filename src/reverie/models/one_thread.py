"""Keep numpy's matrix products on one thread while a model computes.

In: nothing. Out: a context. Small products gain nothing from a second thread, and on a busy machine they wait for it:
measured 2026-11-21 on two shared cores, a query took 4 ms on one thread and 240 on two. The host's own setting comes
back afterwards.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib import import_module
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """One thread for BLAS inside the block; without the package threadpoolctl, whatever the process has."""
    controller = _controller()
    if controller is None:
        return nullcontext()
    limits: AbstractContextManager[Any] = controller.limit(limits=1, user_api="blas")
    return limits


@cache
def _controller() -> Any:
    """Looks through the libraries the process has loaded, which takes some milliseconds, so once."""
    try:
        threadpoolctl = import_module("threadpoolctl")
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController()
