"""Who recalls goes first, and a dream ends all the same."""

from __future__ import annotations

import gc
import sys
import threading
import time

from reverie.engine import context
from reverie.engine.context import Guests, settle, short_turns


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
    assert time.monotonic() - started >= context._PATIENCE_S
    gone.set()
    visitor.join()
    started = time.monotonic()
    guests.let_through()
    assert time.monotonic() - started < context._PATIENCE_S


def test_turns_are_short_while_any_dream_lasts() -> None:
    """And as before once the last has ended, also after an error."""
    usual = sys.getswitchinterval()
    with short_turns():
        with short_turns():
            assert sys.getswitchinterval() < usual
        assert sys.getswitchinterval() < usual
    assert sys.getswitchinterval() == usual


def test_a_paced_loop_leaves_nothing_out() -> None:
    """In order, whether or not somebody recalls; what is paced is not taken before it is wanted."""
    guests = Guests()
    assert list(guests.paced(range(100))) == list(range(100))
    with guests.one():
        assert list(guests.paced("ab")) == ["a", "b"]
    assert next(iter(guests.paced(iter(int, 1)))) == 0


def test_what_a_dream_loaded_is_put_aside_and_taken_back() -> None:
    """Garbage is collected past it while a dream lasts; nothing outside of one, or where a host did so itself."""
    assert gc.get_freeze_count() == 0
    settle()
    assert gc.get_freeze_count() == 0
    with short_turns():
        settle()
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0
    gc.freeze()
    try:
        held = gc.get_freeze_count()
        with short_turns():
            settle()
        assert gc.get_freeze_count() == held
    finally:
        gc.unfreeze()
