from __future__ import annotations

from collections.abc import Callable

from reverie.faces.http.parts import Serving


def test_it_is_open_only_here_and_only_without_a_token(serving: Serving, token: Callable[..., str]) -> None:
    """Both must hold: nobody else can reach it, and nobody was ever given a token."""
    assert serving.is_open
    serving.is_local = False
    assert not serving.is_open
    serving.is_local = True
    token()
    assert not serving.is_open


def test_an_import_may_be_longer_than_anything_else(limited: Callable[..., Serving]) -> None:
    """Each kind of body has its own limit, from the settings."""
    serving = limited(body_mb=2, import_mb=5)
    assert serving.body_max("/v1/remember") == 2_000_000
    assert serving.body_max("/v1/import-everything") == 5_000_000


def test_its_clock_never_goes_back(serving: Serving) -> None:
    """Limits count by it."""
    assert serving.now_s() <= serving.now_s()
