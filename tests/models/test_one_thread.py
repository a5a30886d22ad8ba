from __future__ import annotations

import sys

import numpy as np
import pytest

from reverie.models import port_values as module
from reverie.models.port_values import one_thread


def test_products_run_on_one_thread_inside_and_as_before_outside() -> None:
    """The limit holds in the block only."""
    threadpoolctl = pytest.importorskip("threadpoolctl", reason="threadpoolctl, which sets the limit, is missing")
    np.ones((2, 2)) @ np.ones((2, 2))

    def threads() -> list[int]:
        return [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]

    with threadpoolctl.threadpool_limits(limits=2, user_api="blas"):
        before = threads()
        with one_thread():
            assert set(threads()) <= {1}
        assert threads() == before


def test_without_the_package_nothing_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that left the package out still gets its vectors."""
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    module._controller.cache_clear()
    try:
        with one_thread():
            assert module._controller() is None
    finally:
        module._controller.cache_clear()
