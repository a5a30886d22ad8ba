"""``python -m tools.attack``: every scenario, a line each; exit 1 where a promise did not hold."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tools.attack import folders, server, stores, words
from tools.attack.home import Broken, Home

Scenario = Callable[[Home], str]
SCENARIOS: dict[str, Scenario] = {
    function.__name__.replace("_", "-"): function
    for function in (
        folders.shell_by_log,
        folders.log_as_a_link,
        folders.settings_of_a_clone,
        folders.scope_of_another,
        folders.model_with_code,
        folders.orders_of_a_clone,
        folders.endless_store,
        folders.file_of_others,
        folders.fault_in_settings,
        folders.store_above,
        words.order_of_a_model,
        words.wrapped_by_the_host,
        words.forged_journal,
        words.injections,
        words.erased,
        words.notes_of_one_thing,
        stores.lost_tail,
        stores.foreign_log,
        stores.swapped,
        stores.rolled_back,
        stores.null_keys,
        server.without_a_token,
        server.half_sent,
    )
}


def attempt(scenario: Scenario) -> str:
    """Run one scenario in a home of its own. Raises Broken."""
    with tempfile.TemporaryDirectory(prefix="reverie-attack-") as folder:
        home = Home.furnished(Path(folder) / "home")
        with home.at_the_end_stopped():
            return scenario(home)


def main() -> int:
    """Run what is named, or everything."""
    parser = argparse.ArgumentParser(prog="python -m tools.attack", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SCENARIOS))
    chosen = parser.parse_args().names or list(SCENARIOS)
    broken = 0
    for name in chosen:
        began = time.monotonic()
        try:
            verdict, told = "held  ", attempt(SCENARIOS[name])
        except Broken as found:
            verdict, told = "BROKEN", str(found)
            broken += 1
        print(f"{verdict}  {name:22} {time.monotonic() - began:6.1f} s  {told}", flush=True)
    print(f"{len(chosen) - broken} passed, {broken} failed")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
