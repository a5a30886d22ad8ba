"""The attacks of `make attack`, each against the real commands in a home of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tools.attack.__main__ import SCENARIOS, Scenario, attempt
from tools.attack.home import Broken, Home, require
from tools.attack.server import half_sent

CLIENTS = 1100


@pytest.mark.parametrize("name", [name for name, scenario in SCENARIOS.items() if scenario is not half_sent])
def test_a_promise_holds(name: str) -> None:
    """Nobody else's folder, words, store or client breaks what is promised."""
    assert attempt(SCENARIOS[name])


def test_half_sent_requests_keep_no_honest_client_out(share: Callable[[int], int]) -> None:
    """As many as stopped the server once, in `make soak`; a tenth of them here."""
    assert attempt(lambda home: half_sent(home, share(CLIENTS)))


def test_a_broken_promise_is_told() -> None:
    """A scenario that sees a breach says so, whatever it had started."""
    broken: Scenario = _broken
    with pytest.raises(Broken, match="the seal is gone"):
        attempt(broken)


def _broken(home: Home) -> str:
    require(home.store.exists(), "no store was made")
    require(False, "the seal is gone")
    return "never said"
