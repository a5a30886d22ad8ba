"""Limiting: in, who asks and when; out, how long they have to wait. A bucket of tokens for each who asks."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

BUCKETS_KEPT = 4096


class Buckets:
    """A bucket each: it holds a minute's requests and fills up evenly. The one not asked for longest goes first."""

    def __init__(self, per_minute: int) -> None:
        self._most = float(per_minute)
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def wait_s(self, who: str, now_s: float) -> float:
        """Seconds until ``who`` may ask; 0: now, and a request is taken from the bucket. ``now_s`` never goes back."""
        if not self._most:
            return 0.0
        with self._lock:
            left, last = self._held.pop(who, (self._most, now_s))
            left = min(self._most, left + (now_s - last) * self._most / 60.0)
            wait = 0.0 if left >= 1.0 else (1.0 - left) * 60.0 / self._most
            self._held[who] = (left if wait else left - 1.0, now_s)
            if len(self._held) > BUCKETS_KEPT:
                self._held.popitem(last=False)
        return wait
