"""Who recalls goes first, and a dream ends all the same."""

from __future__ import annotations

import sys
import threading
import time

from reverie.engine import giving_way
from reverie.engine.giving_way import Guests, short_turns


def test_a_dream_waits_for_who_recalls_but_not_for_ever() -> None:
    """Until the guest has gone; one that stays is waited for as long as patience lasts."""
    guests, gone = Guests(), threading.Event()
    came = threading.Event()

    def visit() -> None:
        with guests.one():
            came.set()
            gone.wait()

    visitor = threading.Thread(target=visit)
    visitor.start()
    came.wait()
    started = time.monotonic()
    guests.let_through()
    assert time.monotonic() - started >= giving_way._PATIENCE_S
    gone.set()
    visitor.join()
    started = time.monotonic()
    guests.let_through()
    assert time.monotonic() - started < giving_way._PATIENCE_S


def test_turns_are_short_while_any_dream_lasts() -> None:
    """And as before once the last has ended, also after an error."""
    usual = sys.getswitchinterval()
    with short_turns():
        with short_turns():
            assert sys.getswitchinterval() < usual
        assert sys.getswitchinterval() < usual
    assert sys.getswitchinterval() == usual
